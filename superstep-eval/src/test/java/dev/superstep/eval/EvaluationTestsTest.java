package dev.superstep.eval;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.eval.check.Checks;
import dev.superstep.eval.dataset.Case;
import dev.superstep.eval.dataset.Dataset;
import dev.superstep.eval.junit.EvaluationTests;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/// Evaluations as tests of JUnit.
class EvaluationTestsTest {
  private static final Case GOOD = Case.of("good", "a").withExpected("a");
  private static final Case BAD = Case.of("bad", "a").withExpected("b");

  private static Evaluation evaluation(Case... cases) {
    return Evaluation.named("echo", Dataset.of(cases), Subject.function("echo", "1", in -> in))
        .checks(Checks.equalsExpected())
        .repeats(2);
  }

  @TestFactory
  Stream<DynamicTest> eachCaseIsATest() throws InterruptedException {
    return EvaluationTests.cases(evaluation(GOOD), new InMemoryCheckpointer());
  }

  @Test
  void aCaseWithATrialThatFailsIsATestThatFails() throws InterruptedException {
    var tests = EvaluationTests.cases(evaluation(GOOD, BAD), new InMemoryCheckpointer()).toList();
    assertThat(tests).extracting(DynamicTest::getDisplayName).containsExactly("good", "bad");
    assertThatThrownBy(() -> tests.getLast().getExecutable().execute())
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("2 of 2 trials failed")
        .hasMessageContaining("equals: expected `b`, was `a`")
        .hasMessageContaining("output: a");
  }

  @Test
  void aPassRateMayBeEnough() throws InterruptedException {
    var store = new InMemoryCheckpointer();
    assertThat(EvaluationTests.assertPassRate(0.5, evaluation(GOOD, BAD), store).trials())
        .hasSize(4);
    assertThatThrownBy(() -> EvaluationTests.assertPassRate(0.6, evaluation(GOOD, BAD), store))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("a pass rate of at least 0.6")
        .hasMessageContaining("bad #1: equals");
  }
}
