package dev.superstep.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.bench.measure.WarmUp.Window;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

final class WarmUpTest {
  @Test
  void a_figure_that_still_becomes_better_is_waited_for() {
    assertThat(isStill(0, 60, 30, 29, 20)).isFalse();
    assertThat(isStill(0, 60, 30, 29, 29)).isFalse();
    assertThat(isStill(0, 60, 30, 29, 29, 29)).isTrue();
  }

  @Test
  void a_figure_that_becomes_worse_by_chance_is_not_waited_for() {
    assertThat(isStill(0, 30, 30, 36, 33)).isTrue();
  }

  @Test
  void a_figure_that_pauses_while_compilers_work_is_waited_for() {
    assertThat(isStill(50, 30, 30, 30, 30)).isFalse();
    assertThat(isStill(10, 30, 30, 30, 30)).isTrue();
  }

  @Test
  void three_windows_have_nothing_to_be_compared_with() {
    assertThat(isStill(0, 30, 30, 30)).isFalse();
  }

  @Test
  void a_warm_up_ends_at_its_upper_bound_and_says_so() throws Exception {
    var rounds = new int[1];
    var result = WarmUp.of(() -> rounds[0]++, Duration.ofMillis(100));
    assertThat(result.isStill()).isFalse();
    assertThat(result.seconds()).isGreaterThanOrEqualTo(0.1);
    assertThat(rounds[0]).isPositive();
  }

  /// @param compiling the part of the time that compilers work, in percent
  private static boolean isStill(int compiling, double... medians) {
    return WarmUp.isStill(
        Arrays.stream(medians).mapToObj(median -> new Window(median, compiling, 100)).toList());
  }
}
