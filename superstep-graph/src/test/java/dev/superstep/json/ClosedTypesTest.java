package dev.superstep.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.chrono.ChronoLocalDate;
import java.time.chrono.JapaneseDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

class ClosedTypesTest {
  record Open(String name, Part part) {}

  record Part(List<Object> things) {}

  record Arrays(int[] numbers, List<String[]> names) {}

  record Keys(Map<Integer, String> byNumber) {}

  record Box<T>(T value) {}

  record Boxed(Box<String> box) {}

  record Wild(List<?> some, Optional<? extends Number> number) {}

  record Raw(@SuppressWarnings("rawtypes") List list) {}

  record Work(Callable<String> body) {}

  interface Anything {}

  sealed interface Event {
    record Started() implements Event {}

    non-sealed interface Other extends Event {}
  }

  sealed interface Twins {
    record Same(int a) implements Twins {}

    sealed interface Family extends Twins permits Cousins.Same {}
  }

  static final class Cousins {
    record Same(int b) implements Twins.Family {}
  }

  record Calendars(JapaneseDate date, ChronoLocalDate any) {}

  record Twice(Optional<Optional<String>> maybe) {}

  static List<String> paths(Class<?> type) {
    var refused = catchThrowableOfType(UnsupportedType.class, () -> Codec.of(type));
    assertThat(refused).hasMessageContaining("cannot be stored").hasMessageContaining("records");
    assertThat(refused.code()).isEqualTo("json.unsupported-type");
    return refused.paths();
  }

  @Test
  void an_open_part_is_refused_at_declaration_with_its_path() {
    assertThat(paths(Open.class))
        .containsExactly("Open.part.things[] has the open type java.lang.Object");
    assertThat(paths(Work.class)).singleElement().asString().startsWith("Work.body ");
    assertThat(paths(Anything.class)).singleElement().asString().contains("open type");
  }

  @Test
  void arrays_are_refused_and_lists_offered() {
    assertThat(paths(Arrays.class))
        .containsExactly(
            "Arrays.numbers is an array; use a list", "Arrays.names[] is an array; use a list");
    assertThat(paths(byte[].class)).containsExactly("byte[] is an array; use a list");
  }

  @Test
  void maps_need_strings_as_keys() {
    assertThat(paths(Keys.class)).containsExactly("Keys.byNumber has keys that are not strings");
  }

  @Test
  void generic_records_wildcards_and_raw_types_are_refused() {
    assertThat(paths(Boxed.class)).singleElement().asString().startsWith("Boxed.box ");
    assertThat(paths(Box.class)).singleElement().asString().startsWith("Box.value ");
    assertThat(paths(Wild.class)).hasSize(2);
    assertThat(paths(Raw.class)).singleElement().asString().startsWith("Raw.list ");
  }

  @Test
  void times_of_other_calendars_and_optionals_of_optionals_are_refused() {
    assertThat(paths(Calendars.class)).hasSize(2);
    assertThat(paths(Twice.class))
        .containsExactly("Twice.maybe is an optional of an optional; use one");
  }

  @Test
  void a_sealed_type_with_an_open_case_is_refused() {
    assertThat(paths(Event.class)).singleElement().asString().startsWith("Event/Other ");
  }

  @Test
  void two_cases_of_one_name_are_refused_even_in_a_family_of_cases() {
    assertThat(paths(Twins.class)).containsExactly("Twins has two cases named Same");
  }
}
