package dev.superstep.rag.error;

import dev.superstep.json.SuperstepException;
import java.util.List;

/// A run is refused before it begins, since it may take more than it is allowed.
public final class MayPassBudget extends SuperstepException {
  private final List<String> limits;

  public MayPassBudget(String graph, List<String> limits) {
    this("a run of graph `" + graph + "`", "its budget", limits);
  }

  /// An error for a run.
  ///
  /// @param run the run, as the subject of a sentence
  /// @param budget what it may pass
  public MayPassBudget(String run, String budget, List<String> limits) {
    super(
        "rag.may-pass-budget",
        "%s may pass %s: %s. Set `limits` in the text, or allow more."
            .formatted(run, budget, String.join("; ", limits)));
    this.limits = List.copyOf(limits);
  }

  /// The limits that it may pass, each as a sentence.
  public List<String> limits() {
    return limits;
  }
}
