package dev.superstep.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class JsonValueTest {
  record Holder(Json value, Optional<Json> more) {}

  record Measure(double value) {}

  sealed interface Shape {
    record Circle(String type) implements Shape {}
  }

  @Test
  void a_json_value_in_a_record_is_written_as_the_value_that_it_holds() {
    var holder = new Holder(Json.parse("{\"a\":1.10}"), Optional.empty());
    var json = Json.of(holder);
    assertThat(json.text()).isEqualTo("{\"value\":{\"a\":1.10},\"more\":null}");
    assertThat(json.as(Holder.class)).isEqualTo(holder);
  }

  @Test
  void null_is_a_value() {
    var holder = new Holder(Json.ofNull(), Optional.of(Json.parse("[]")));
    assertThat(Json.of(holder).as(Holder.class)).isEqualTo(holder);
  }

  @Test
  void text_that_is_not_json_does_not_get_into_a_record() {
    assertThatThrownBy(() ->
            Json.of(new Holder(Json.unchecked("1,\"x\":2"), Optional.empty())).as(Holder.class))
        .isInstanceOf(MalformedJson.class);
    assertThatThrownBy(() -> Json.of(new Holder(Json.unchecked("{oops"), Optional.empty())))
        .isInstanceOf(MalformedJson.class);
  }

  @Test
  void parsing_takes_exactly_one_value_and_keeps_every_digit() {
    assertThat(Json.parse(" { \"a\" : 1.10000000000000000000001 } ").text())
        .isEqualTo("{\"a\":1.10000000000000000000001}");
    assertThatThrownBy(() -> Json.parse("")).isInstanceOf(MalformedJson.class);
    assertThatThrownBy(() -> Json.parse("1 2")).isInstanceOf(MalformedJson.class);
  }

  @Test
  void numbers_that_json_cannot_write_are_refused() {
    assertThatThrownBy(() -> Json.of(new Measure(Double.NaN)))
        .isInstanceOf(MalformedJson.class)
        .hasMessageContaining("NaN");
  }

  @Test
  void a_case_of_a_sealed_type_may_not_have_a_component_that_names_the_case() {
    assertThatThrownBy(() -> Codec.of(Shape.class))
        .isInstanceOf(UnsupportedType.class)
        .hasMessageContaining("Circle");
  }

  @Test
  void accepted_external_json_reads_back_inside_other_values() {
    var deep = Json.parse("[".repeat(400) + "]".repeat(400));
    var holder = new Holder(deep, Optional.empty());
    assertThat(Json.of(holder).as(Holder.class)).isEqualTo(holder);
    assertThatThrownBy(() -> Json.parse("[".repeat(401) + "]".repeat(401)))
        .isInstanceOf(MalformedJson.class);
  }

  @Test
  void a_number_is_no_name_of_a_constant() {
    assertThatThrownBy(() -> Json.parse("1").as(java.time.DayOfWeek.class))
        .isInstanceOf(MalformedJson.class);
  }
}
