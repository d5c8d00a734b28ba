package dev.superstep.eval;

import java.util.List;
import java.util.Optional;

/// The results of an evaluation, each trial once. Immutable.
///
/// @param name of the evaluation
/// @param manifest what was evaluated
/// @param trials in the order of the dataset, then by repeat
/// @param missing trials of selected cases without a result, in the same order
/// @param stopped why trials are missing, if the evaluation stopped itself
/// @param judges the agreement of judges with people
/// @param currency of the costs; empty if they are not known
public record EvaluationResult(
    String name,
    Manifest manifest,
    List<Trial> trials,
    List<MissingTrial> missing,
    Optional<String> stopped,
    List<JudgeAgreement> judges,
    String currency) {
  public EvaluationResult {
    trials = List.copyOf(trials);
    missing = List.copyOf(missing);
    judges = List.copyOf(judges);
  }

  /// Returns true if no trial is missing.
  public boolean isComplete() {
    return missing.isEmpty();
  }

  /// The numbers of all trials together.
  public Summary summary() {
    return Summary.of(trials);
  }

  /// The trials of a case.
  public List<Trial> trials(String item) {
    return trials.stream().filter(trial -> trial.item().id().equals(item)).toList();
  }

  /// Compares a later result with this one, case by case.
  public Comparison comparedWith(EvaluationResult later) {
    return Comparison.of(this, later);
  }

  /// The counts, for logs.
  @Override
  public String toString() {
    return "EvaluationResult[%s, %d trials, %d missing]"
        .formatted(name, trials.size(), missing.size());
  }
}
