package dev.superstep.server.internal.run;

import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/// A run was to answer questions, strictly, of which some are not open: somebody else has answered
/// them. Nothing was run.
final class ResumeRefused extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient List<String> unknown;
  private final transient List<String> open;

  ResumeRefused(List<String> unknown, List<String> open) {
    super(
        "The questions %s are not open; open are %s. Read the thread again before you answer."
            .formatted(unknown, open));
    this.unknown = unknown;
    this.open = open;
  }

  /// Adds to an error what clients want to know of it.
  void addTo(ObjectNode error) {
    error.put("reason", "unknown_interrupt");
    var ids = error.putArray("interrupt_ids");
    unknown.forEach(ids::add);
    var pending = error.putArray("pending_ids");
    open.forEach(pending::add);
  }
}
