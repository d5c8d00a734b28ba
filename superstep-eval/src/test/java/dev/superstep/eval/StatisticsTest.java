package dev.superstep.eval;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.superstep.eval.stats.Agreement;
import dev.superstep.eval.stats.Interval;
import dev.superstep.eval.stats.SignTest;
import dev.superstep.testkit.Property;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// The statistics, against published numbers and by properties.
class StatisticsTest {
  private static final double LEVEL = 0.95;

  @Test
  void theWilsonIntervalHasThePublishedNumbers() {
    // R: prop.test(8, 10, correct = FALSE) and prop.test(0, 20, correct = FALSE)
    assertInterval(Interval.wilson(8, 10, LEVEL), 0.4901625, 0.9433178);
    assertInterval(Interval.wilson(0, 20, LEVEL), 0, 0.1611252);
    assertInterval(Interval.wilson(20, 20, LEVEL), 0.8388748, 1);
    // Newcombe 1998, table I: 81 of 263
    assertInterval(Interval.wilson(81, 263, LEVEL), 0.2553, 0.3662);
  }

  private static void assertInterval(Interval found, double low, double high) {
    assertThat(found.low()).isCloseTo(low, within(5e-5));
    assertThat(found.high()).isCloseTo(high, within(5e-5));
  }

  @Test
  void anIntervalWithoutTrialsSaysNothing() {
    var none = Interval.wilson(0, 0, LEVEL);
    assertThat(none.estimate()).isNaN();
    assertThat(none.low()).isZero();
    assertThat(none.high()).isOne();
    assertThat(none.percent()).isEqualTo("none");
    assertThatThrownBy(() -> Interval.wilson(3, 2, LEVEL))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Interval.wilson(1, 2, 1)).hasMessageContaining("level");
  }

  @Test
  void theWilsonIntervalHoldsTheTruthAsOftenAsItSays() {
    var random = new Random(7);
    for (double truth : new double[] {0.1, 0.5, 0.9}) {
      int held = 0;
      for (int i = 0; i < 2_000; i++) {
        int passed = 0;
        for (int j = 0; j < 60; j++) if (random.nextDouble() < truth) passed++;
        var found = Interval.wilson(passed, 60, LEVEL);
        if (found.low() <= truth && truth <= found.high()) held++;
      }
      assertThat(held / 2_000.0).as("at " + truth).isBetween(0.92, 0.98);
    }
  }

  @Test
  void theIntervalOverCasesIsWiderThanOneThatTakesRepeatsForCases() {
    // 20 cases, 10 alike trials each: 20 facts, not 200.
    var means = new double[20];
    Arrays.fill(means, 0, 12, 1);
    var clustered = Interval.clustered(means, LEVEL);
    var naive = Interval.wilson(120, 200, LEVEL);
    assertThat(clustered.estimate()).isCloseTo(0.6, within(1e-9));
    assertThat(clustered.high() - clustered.low()).isGreaterThan(2 * (naive.high() - naive.low()));
    assertThat(Interval.clustered(means, LEVEL)).isEqualTo(clustered);
  }

  @Test
  void theIntervalOverCasesIsNotEmptyWhereAllAreAlike() {
    var found = Interval.clustered(new double[] {1, 1, 1, 1}, LEVEL);
    assertThat(found.high()).isOne();
    assertThat(found.low()).isBetween(0.4, 0.6);
  }

  @Test
  void theExactTestOfWinsAndLossesHasThePublishedNumbers() {
    // R: binom.test(1, 10)$p.value, binom.test(5, 15)$p.value
    assertThat(new SignTest(9, 1, 40).pValue()).isCloseTo(0.02148438, within(1e-7));
    assertThat(new SignTest(5, 10, 0).pValue()).isCloseTo(0.3017578, within(1e-7));
    assertThat(new SignTest(0, 0, 100).pValue()).isOne();
    assertThat(new SignTest(4, 4, 0).pValue()).isOne();
    assertThat(new SignTest(2_000, 1_000, 0).pValue()).isLessThan(1e-60).isNotNegative();
  }

  @Test
  void kappaHasThePublishedNumber() {
    // Cohen's table as in many textbooks: 20 and 15 agree, 5 and 10 do not
    var counts = new Agreement(20, 5, 10, 15, 0);
    assertThat(counts.kappa()).isCloseTo(0.4, within(1e-9));
    assertThat(counts.accuracy(LEVEL).estimate()).isCloseTo(0.7, within(1e-9));
    assertThat(counts.reaches(0.4)).isTrue();
    assertThat(counts.reaches(0.41)).isFalse();
  }

  @Test
  void kappaShowsAJudgeThatPassesEverything() {
    var counts = new Agreement(90, 0, 10, 0, 0);
    assertThat(counts.accuracy(LEVEL).estimate()).isCloseTo(0.9, within(1e-9));
    assertThat(counts.kappa()).isZero();
    assertThat(new Agreement(10, 0, 0, 0, 0).kappa()).isOne();
    assertThat(Agreement.NONE.reaches(0)).isFalse();
    assertThat(Agreement.NONE.plusError().accuracy(LEVEL).estimate()).isZero();
  }

  @Test
  void everyIntervalHoldsItsEstimate() throws Exception {
    Property.check(
        3,
        40,
        choices -> {
          var means = new double[choices.between(1, 30)];
          for (int i = 0; i < means.length; i++) means[i] = choices.between(0, 4) / 4.0;
          return means;
        },
        means -> {
          var found = Interval.clustered(means, LEVEL);
          assertThat(found.low()).isBetween(0.0, found.estimate());
          assertThat(found.high()).isBetween(found.estimate(), 1.0 + 1e-12);
        });
  }
}
