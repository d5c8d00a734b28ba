package dev.superstep.eval;

import dev.superstep.eval.dataset.Case;
import dev.superstep.eval.stats.Interval;
import dev.superstep.eval.stats.SignTest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The comparison of two versions, case by case. Only cases that both have with the same content
/// are compared. Immutable.
///
/// @param earlier the version before
/// @param later the version after
/// @param pairs the cases that both have, in the order of the later version
/// @param unpaired the ids of cases that only one has, or that differ
public record Comparison(
    EvaluationResult earlier, EvaluationResult later, List<Pair> pairs, List<String> unpaired) {
  public Comparison {
    pairs = List.copyOf(pairs);
    unpaired = List.copyOf(unpaired);
  }

  /// A case in both versions.
  ///
  /// @param earlierRate the share of its trials that passed before
  /// @param laterRate the share of its trials that pass now
  /// @param earlierScore its mean score before
  /// @param laterScore its mean score now
  public record Pair(
      Case item, double earlierRate, double laterRate, double earlierScore, double laterScore) {
    /// Above 0 if the later version passes more of the trials, below 0 if less.
    public int direction() {
      return Double.compare(laterRate, earlierRate);
    }
  }

  static Comparison of(EvaluationResult earlier, EvaluationResult later) {
    var before = byCase(earlier);
    var after = byCase(later);
    var pairs = new ArrayList<Pair>();
    var unpaired = new ArrayList<String>();
    after.forEach((id, now) -> {
      var then = before.get(id);
      if (then == null || !isSame(then, now)) unpaired.add(id);
      else pairs.add(pair(then, now));
    });
    for (var id : before.keySet()) if (!after.containsKey(id)) unpaired.add(id);
    return new Comparison(earlier, later, pairs, unpaired);
  }

  private static Map<String, List<Trial>> byCase(EvaluationResult result) {
    var all = new LinkedHashMap<String, List<Trial>>();
    for (var trial : result.trials()) {
      all.computeIfAbsent(trial.item().id(), _ -> new ArrayList<>()).add(trial);
    }
    return all;
  }

  private static boolean isSame(List<Trial> one, List<Trial> other) {
    return one.getFirst().item().digest().equals(other.getFirst().item().digest());
  }

  private static Pair pair(List<Trial> then, List<Trial> now) {
    return new Pair(
        now.getFirst().item(),
        Summary.mean(then, trial -> trial.isPassed() ? 1 : 0),
        Summary.mean(now, trial -> trial.isPassed() ? 1 : 0),
        Summary.mean(then, Trial::score),
        Summary.mean(now, Trial::score));
  }

  /// Wins, losses and ties of the later version, with the exact test of them.
  public SignTest test() {
    long wins = pairs.stream().filter(pair -> pair.direction() > 0).count();
    long losses = pairs.stream().filter(pair -> pair.direction() < 0).count();
    return new SignTest(wins, losses, pairs.size() - wins - losses);
  }

  /// The difference of the pass rates, with a paired bootstrap over cases.
  public Interval rateDifference() {
    return Interval.paired(
        pairs.stream().mapToDouble(pair -> pair.laterRate() - pair.earlierRate()).toArray(),
        Interval.LEVEL);
  }

  /// The difference of the scores, with a paired bootstrap over cases.
  public Interval scoreDifference() {
    return Interval.paired(
        pairs.stream().mapToDouble(pair -> pair.laterScore() - pair.earlierScore()).toArray(),
        Interval.LEVEL);
  }

  /// The counts, for logs.
  @Override
  public String toString() {
    return "Comparison[%s with %s, %s]".formatted(earlier.name(), later.name(), test());
  }
}
