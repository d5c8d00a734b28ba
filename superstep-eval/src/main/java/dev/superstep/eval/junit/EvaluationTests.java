package dev.superstep.eval.junit;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.eval.Evaluation;
import dev.superstep.eval.EvaluationResult;
import dev.superstep.eval.Trial;
import dev.superstep.eval.report.TextReport;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/// An evaluation as tests of JUnit, one for each case, which pass where all trials of the case do;
/// or one test of the whole, which passes from a rate on.
///
/// ```java
/// @TestFactory
/// Stream<DynamicTest> shop() throws InterruptedException {
///   return EvaluationTests.cases(evaluation, store);
/// }
/// ```
///
/// Needs `junit-jupiter-api`, which this module does not bring along.
public final class EvaluationTests {
  private EvaluationTests() {}

  /// Makes the trials, and returns a test for each selected case.
  ///
  /// @throws InterruptedException if the calling thread is interrupted
  public static Stream<DynamicTest> cases(Evaluation evaluation, Checkpointer store)
      throws InterruptedException {
    var result = evaluation.run(store);
    var tests = new ArrayList<DynamicTest>();
    for (var item : result.manifest().cases()) {
      var trials = result.trials(item);
      var missing = result.missing().stream().filter(one -> one.item().equals(item)).toList();
      if (trials.isEmpty() && missing.isEmpty()) continue;
      tests.add(
          DynamicTest.dynamicTest(
              item,
              () -> {
                if (!missing.isEmpty()) {
                  throw new AssertionError("has no result: " + missing.getFirst().reason());
                }
                check(trials);
              }));
    }
    return tests.stream();
  }

  private static void check(List<Trial> trials) {
    var failed = trials.stream().filter(trial -> !trial.isPassed()).toList();
    if (failed.isEmpty()) return;
    var text = new StringBuilder();
    text.append(failed.size()).append(" of ").append(trials.size()).append(" trials failed");
    for (var trial : failed) {
      text.append("\n#").append(trial.repeat()).append(" ended ");
      text.append(trial.observation().ending()).append(' ').append(trial.observation().reason());
      for (var one : trial.results()) {
        if (one.verdict().isPassed()) continue;
        text.append("\n  ").append(one.check()).append(": ").append(one.verdict().reason());
      }
      text.append("\n  output: ").append(trial.observation().text());
    }
    throw new AssertionError(text.toString());
  }

  /// Makes the trials, and fails if fewer of them pass, if some are missing, or if a judge agrees
  /// too little with people.
  ///
  /// @param rate the least pass rate, 0 to 1
  /// @return the results
  /// @throws AssertionError with a report
  /// @throws InterruptedException if the calling thread is interrupted
  public static EvaluationResult assertPassRate(
      double rate, Evaluation evaluation, Checkpointer store) throws InterruptedException {
    if (!(rate >= 0 && rate <= 1)) {
      throw new IllegalArgumentException("rate must be 0 to 1, was " + rate);
    }
    var result = evaluation.run(store);
    boolean isTrusted = result.judges().stream().allMatch(judge -> judge.isTrusted());
    if (result.isComplete() && isTrusted && result.summary().passRate().estimate() >= rate)
      return result;
    throw new AssertionError(
        "The evaluation must be complete, with judges to be trusted, and a pass rate of at least "
            + rate
            + ".\n"
            + TextReport.of(result));
  }
}
