package dev.superstep.terminal.approval;

import dev.superstep.json.SuperstepException;
import java.util.List;

/// What would start is not what was approved. Nothing was started.
public final class ApprovalStale extends SuperstepException {
  private final List<String> changes;

  /// @param changes the parts that differ, such as `directory` or `file ./x.sh`
  public ApprovalStale(List<String> changes) {
    super(
        "terminal.approval-stale",
        "The command was not started, since this has changed since it was approved: %s. Look at it again."
            .formatted(String.join(", ", changes)));
    this.changes = List.copyOf(changes);
  }

  /// The parts that differ.
  public List<String> changes() {
    return changes;
  }
}
