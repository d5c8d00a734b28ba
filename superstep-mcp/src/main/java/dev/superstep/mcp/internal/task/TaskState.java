package dev.superstep.mcp.internal.task;

import dev.superstep.mcp.internal.transport.RequestFailed;
import dev.superstep.mcp.internal.wire.Wire;
import java.time.Duration;
import tools.jackson.databind.JsonNode;

/// The state of a task, as its server tells it.
///
/// @param message for people; empty for none
/// @param poll time after which it is worth to ask again, within bounds
/// @param body all that the server told
public record TaskState(Status status, String message, Duration poll, JsonNode body) {
  private static final Duration POLL = Duration.ofSeconds(1);
  private static final int POLL_MIN = 100;
  private static final int POLL_MAX = 30_000;
  private static final int MESSAGE_MAX = 500;

  /// The status of a task.
  public enum Status {
    /// At work.
    WORKING,
    /// Waits for answers.
    INPUT_REQUIRED,
    /// Has a result.
    COMPLETED,
    /// Has an error of the protocol.
    FAILED,
    /// Was cancelled.
    CANCELLED
  }

  /// Reads a state.
  ///
  /// @throws RequestFailed if it is none
  public static TaskState read(JsonNode told) throws RequestFailed {
    var status =
        switch (Wire.text(told, "status")) {
          case "working" -> Status.WORKING;
          case "input_required" -> Status.INPUT_REQUIRED;
          case "completed" -> Status.COMPLETED;
          case "failed" -> Status.FAILED;
          case "cancelled" -> Status.CANCELLED;
          default ->
              throw new RequestFailed(
                  new RequestFailed.Misbehaved(
                      "reports the unknown status `%s` of a task."
                          .formatted(Wire.cut(Wire.text(told, "status"), 40))));
        };
    var message = Wire.cut(Wire.text(told, "statusMessage"), MESSAGE_MAX);
    return new TaskState(status, message, poll(told), told);
  }

  /// The time between two requests for a state, which a server suggests.
  static Duration poll(JsonNode told) {
    // By the name of revision 2025-11-25, and by that of the extension.
    var asked = told.has("pollInterval") ? told.path("pollInterval") : told.path("pollIntervalMs");
    if (!asked.isNumber()) return POLL;
    return Duration.ofMillis(Math.clamp(asked.asLong(POLL.toMillis()), POLL_MIN, POLL_MAX));
  }
}
