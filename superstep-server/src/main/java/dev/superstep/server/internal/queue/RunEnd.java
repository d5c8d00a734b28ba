package dev.superstep.server.internal.queue;

import dev.superstep.server.internal.documents.RunStatus;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// The end of a run. Immutable.
///
/// @param status of the run
/// @param thread the status of its thread
/// @param interrupts the open questions of the thread, by task
/// @param error of a run that failed
/// @param values the state of the thread, where somebody needs it with the end of the run
public record RunEnd(
    String status,
    String thread,
    ObjectNode interrupts,
    Optional<JsonNode> error,
    Optional<ObjectNode> values) {
  /// The end of a run that did what it was to do.
  public static RunEnd success(String thread, ObjectNode interrupts, Optional<ObjectNode> values) {
    return new RunEnd(RunStatus.SUCCESS, thread, interrupts, Optional.empty(), values);
  }

  /// The end of a run that failed.
  public static RunEnd failed(JsonNode error) {
    var none = JsonNodeFactory.instance.objectNode();
    return new RunEnd(RunStatus.ERROR, RunStatus.ERROR, none, Optional.of(error), Optional.empty());
  }

  /// The end of a run whose answers were refused, so that its thread asks what it asked before.
  public static RunEnd refused(JsonNode error, ObjectNode interrupts) {
    return new RunEnd(
        RunStatus.ERROR, RunStatus.INTERRUPTED, interrupts, Optional.of(error), Optional.empty());
  }

  /// The end of a run that was stopped before its end.
  public static RunEnd stopped(String status, String thread) {
    var none = JsonNodeFactory.instance.objectNode();
    return new RunEnd(status, thread, none, Optional.empty(), Optional.empty());
  }

  /// The end for those who follow the thread: `completed`, `failed` or `interrupted`.
  public String lifecycle() {
    return switch (status) {
      case RunStatus.ERROR, RunStatus.TIMEOUT -> "failed";
      case RunStatus.INTERRUPTED -> "interrupted";
      default -> thread.equals(RunStatus.INTERRUPTED) ? "interrupted" : "completed";
    };
  }

  /// The failure, if the run did not come to its end.
  public Optional<JsonNode> reason() {
    if (!status.equals(RunStatus.TIMEOUT)) return error;
    var late = JsonNodeFactory.instance.objectNode();
    return Optional.of(late.put("message", "The run took longer than it may."));
  }
}
