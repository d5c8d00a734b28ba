package dev.superstep.eval;

import dev.superstep.budget.Spend;
import dev.superstep.eval.check.CheckResult;
import dev.superstep.eval.check.Verdict;
import dev.superstep.eval.dataset.Ending;
import dev.superstep.eval.stats.Interval;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/// The numbers of an evaluation. Immutable.
///
/// @param cases with at least one trial
/// @param trials of all cases
/// @param passed trials that passed
/// @param passRate the mean over cases of the share of their trials that passed. With one trial for
///   each case its interval is Wilson's, else that of a bootstrap over cases: [Interval#clustered]
/// @param score the mean over cases of the mean score of their trials, with a bootstrap over cases
/// @param checks the numbers of each check, in their order
/// @param endings how many trials ended in each way
/// @param subject spent by the subject
/// @param judging spent by judges
/// @param median the median time of a trial's subject
/// @param slow the time that 95 of 100 trials keep to
public record Summary(
    int cases,
    int trials,
    int passed,
    Interval passRate,
    Interval score,
    List<CheckSummary> checks,
    Map<Ending, Integer> endings,
    Spend subject,
    Spend judging,
    Duration median,
    Duration slow) {
  private static final double SLOW = 0.95;

  /// The numbers of one check.
  ///
  /// @param check its name
  /// @param passed trials that passed it
  /// @param errors trials on which it gave no verdict, since it failed itself
  /// @param passRate as that of the evaluation
  /// @param score the mean over cases of its score
  public record CheckSummary(
      String check, int passed, int errors, Interval passRate, Interval score) {}

  public Summary {
    checks = List.copyOf(checks);
    endings = Map.copyOf(endings);
  }

  /// Adds up trials.
  static Summary of(List<Trial> trials) {
    var byCase = new LinkedHashMap<String, List<Trial>>();
    for (var trial : trials) {
      byCase.computeIfAbsent(trial.item().id(), _ -> new ArrayList<>()).add(trial);
    }
    var endings = new EnumMap<Ending, Integer>(Ending.class);
    var subject = Spend.NONE;
    var judging = Spend.NONE;
    for (var trial : trials) {
      endings.merge(trial.observation().ending(), 1, Integer::sum);
      subject = subject.plus(trial.observation().spent());
      judging = judging.plus(trial.judging());
    }
    var times = trials.stream().map(trial -> trial.observation().took()).sorted().toList();
    return new Summary(
        byCase.size(),
        trials.size(),
        (int) trials.stream().filter(Trial::isPassed).count(),
        rate(byCase.values(), Summary::passes),
        score(byCase.values(), Trial::score),
        checks(trials, byCase.values()),
        endings,
        subject,
        judging,
        quantile(times, 0.5),
        quantile(times, SLOW));
  }

  private static double passes(Trial trial) {
    return trial.isPassed() ? 1 : 0;
  }

  private static List<CheckSummary> checks(List<Trial> trials, Collection<List<Trial>> byCase) {
    var all = new ArrayList<CheckSummary>();
    if (trials.isEmpty()) return all;
    for (var name : trials.getFirst().results().stream().map(CheckResult::check).toList()) {
      int passed = 0;
      int errors = 0;
      for (var trial : trials) {
        var outcome = verdict(trial, name).outcome();
        if (outcome == Verdict.Outcome.PASSED) passed++;
        if (outcome == Verdict.Outcome.ERROR) errors++;
      }
      all.add(
          new CheckSummary(
              name,
              passed,
              errors,
              rate(byCase, trial -> verdict(trial, name).isPassed() ? 1 : 0),
              score(byCase, trial -> verdict(trial, name).score())));
    }
    return all;
  }

  static Verdict verdict(Trial trial, String check) {
    return trial.results().stream()
        .filter(one -> one.check().equals(check))
        .map(CheckResult::verdict)
        .findFirst()
        .orElse(Verdict.error("it was not made"));
  }

  private static Interval rate(Collection<List<Trial>> byCase, ToDoubleFunction<Trial> value) {
    boolean isSingle = byCase.stream().allMatch(trials -> trials.size() == 1);
    if (!isSingle) return score(byCase, value);
    long passed = byCase.stream().filter(t -> value.applyAsDouble(t.getFirst()) == 1).count();
    return Interval.wilson(passed, byCase.size(), Interval.LEVEL);
  }

  private static Interval score(Collection<List<Trial>> byCase, ToDoubleFunction<Trial> value) {
    var means = byCase.stream().mapToDouble(trials -> mean(trials, value)).toArray();
    return Interval.clustered(means, Interval.LEVEL);
  }

  static double mean(List<Trial> trials, ToDoubleFunction<Trial> value) {
    return trials.stream().mapToDouble(value).average().orElse(0);
  }

  private static Duration quantile(List<Duration> sorted, double share) {
    if (sorted.isEmpty()) return Duration.ZERO;
    int at = (int) Math.ceil(share * sorted.size()) - 1;
    return sorted.get(Math.clamp(at, 0, sorted.size() - 1));
  }
}
