package dev.superstep.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PropertyTest {
  static final Gen<List<Integer>> NUMBERS = choices -> choices.list(20, c -> c.below(1_000));

  @Test
  void a_property_is_checked_for_every_case() throws Exception {
    var seen = new ArrayList<List<Integer>>();
    Property.check(1, 50, NUMBERS, seen::add);
    assertThat(seen).hasSize(50).anyMatch(List::isEmpty).anyMatch(list -> list.size() > 5);
  }

  @Test
  void a_counterexample_is_shrunk_and_reports_its_seed() {
    var error =
        catchThrowableOfType(
            AssertionError.class,
            () ->
                Property.check(
                    1,
                    100,
                    NUMBERS,
                    list -> assertThat(list.stream().mapToInt(n -> n).sum()).isLessThan(700)));
    assertThat(error).hasMessageContaining("for seed ");
    assertThat(error.getMessage()).endsWith("\n  [700]");
    assertThat(error.getCause()).hasMessageContaining("700");
  }

  @Test
  void the_seed_of_a_failure_runs_it_again() {
    Property.Body<List<Integer>> body = list -> assertThat(list).hasSizeLessThan(12);
    var first =
        catchThrowableOfType(AssertionError.class, () -> Property.check(40, 500, NUMBERS, body));
    long seed = Long.parseLong(first.getMessage().replaceAll("(?s).*seed (\\d+)\\..*", "$1"));
    var again =
        catchThrowableOfType(AssertionError.class, () -> Property.check(seed, 1, NUMBERS, body));
    assertThat(again).hasMessage(first.getMessage());
    assertThat(first.getMessage()).endsWith("[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]");
  }
}
