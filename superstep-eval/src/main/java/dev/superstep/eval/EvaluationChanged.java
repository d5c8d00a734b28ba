package dev.superstep.eval;

import dev.superstep.json.SuperstepException;
import java.util.List;

/// An evaluation was to go on with another subject, dataset or checks than it began with. Its
/// results would be of two kinds. Nothing has run.
public final class EvaluationChanged extends SuperstepException {
  private static final long serialVersionUID = 1;

  private final String name;
  private final transient List<String> changes;

  EvaluationChanged(String name, List<String> changes) {
    super(
        "eval.changed",
        "Evaluation `"
            + name
            + "` has results of something else: "
            + String.join("; ", changes)
            + ". Take another name, put it back, or start it anew (`startAnew()`).");
    this.name = name;
    this.changes = List.copyOf(changes);
  }

  /// The name of the evaluation.
  public String name() {
    return name;
  }

  /// The changes, a sentence without a full stop each.
  public List<String> changes() {
    return changes;
  }
}
