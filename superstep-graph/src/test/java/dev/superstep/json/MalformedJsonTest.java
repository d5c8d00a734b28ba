package dev.superstep.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MalformedJsonTest {
  record Point(int x, int y) {}

  record Route(String name, Point from, List<Point> via, Optional<String> note) {}

  sealed interface Shape {
    record Circle(double radius) implements Shape {}
  }

  record Nest(List<Nest> inner) {}

  static MalformedJson refused(String text, Class<?> type) {
    return catchThrowableOfType(
        MalformedJson.class, () -> Codec.of(type).decode(Json.unchecked(text)));
  }

  @Test
  void a_missing_component_is_named() {
    assertThat(refused("{\"from\":{\"x\":1,\"y\":2},\"via\":[]}", Route.class))
        .hasMessageContaining("name")
        .extracting(MalformedJson::type, MalformedJson::code)
        .containsExactly("Route", "json.malformed");
    assertThat(refused("{\"x\":1}", Point.class)).hasMessageContaining("y");
  }

  @Test
  void a_missing_component_deep_inside_is_named_with_its_path() {
    assertThat(
            refused(
                "{\"name\":\"a\",\"from\":{\"x\":1,\"y\":2},\"via\":[{\"x\":1,\"y\":2},{\"x\":1}]}",
                Route.class))
        .hasMessageContaining("'y'")
        .hasMessageContaining("via")
        .hasMessageContaining("[1]");
  }

  @Test
  void an_unknown_property_is_refused_and_named() {
    assertThat(refused("{\"x\":1,\"y\":2,\"z\":3}", Point.class)).hasMessageContaining("z");
  }

  @Test
  void a_null_for_a_number_is_refused() {
    assertThat(refused("{\"x\":1,\"y\":null}", Point.class)).hasMessageContaining("y");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1.5", "\"1\"", "true"})
  void a_number_is_not_guessed_from_something_else(String x) {
    assertThat(refused("{\"x\":" + x + ",\"y\":2}", Point.class)).hasMessageContaining("x");
  }

  @Test
  void a_number_out_of_range_is_refused() {
    assertThat(refused("{\"x\":99999999999,\"y\":2}", Point.class))
        .hasMessageContaining("99999999999");
  }

  @Test
  void null_alone_is_refused() {
    assertThat(refused("null", Point.class)).hasMessageContaining("null");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", " ", "{", "{\"x\":1,\"y\":2}}", "{\"x\":1,\"y\":2} 1", "[]", "\"\"", "nil"})
  void text_that_is_not_one_value_of_the_type_is_refused(String text) {
    assertThat(refused(text, Point.class)).isNotNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"type\":\"java.lang.Runtime\"}",
        "{\"type\":\"Square\",\"side\":1}",
        "{\"radius\":1}",
        "{\"type\":null,\"radius\":1}"
      })
  void a_sealed_value_of_no_known_case_is_refused(String text) {
    assertThat(refused(text, Shape.class)).isNotNull();
  }

  @Test
  void the_message_names_no_class_of_the_program_or_the_library() {
    assertThat(refused("{\"type\":\"Square\"}", Shape.class).getMessage())
        .doesNotContain("dev.superstep")
        .doesNotContain("jackson");
    assertThat(refused("{\"x\":\"one\",\"y\":2}", Point.class).getMessage())
        .doesNotContain("dev.superstep")
        .doesNotContain("jackson");
  }

  @Test
  void nesting_too_deep_is_refused_both_ways_and_does_not_overflow_the_stack() {
    var open = "{\"inner\":[".repeat(100_000);
    assertThat(refused(open, Nest.class)).isNotNull();
    assertThat(catchThrowableOfType(MalformedJson.class, () -> Json.parse("[".repeat(100_000))))
        .isNotNull();
    var nest = new Nest(List.of());
    for (int i = 0; i < 2_000; i++) nest = new Nest(List.of(nest));
    var deep = nest;
    assertThat(catchThrowableOfType(MalformedJson.class, () -> Codec.of(Nest.class).encode(deep)))
        .isNotNull();
  }
}
