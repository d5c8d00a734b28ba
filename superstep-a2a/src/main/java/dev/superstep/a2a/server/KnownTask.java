package dev.superstep.a2a.server;

import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/// A task as it stands. Immutable.
///
/// @param runs its runs, the newest first
/// @param open its questions, by their ids
/// @param values the state of its thread
record KnownTask(
    String id,
    String context,
    String state,
    List<JsonNode> runs,
    Map<String, JsonNode> open,
    JsonNode values,
    String error) {
  /// The reason of a failure that is not known.
  static final String FAILED = "The run failed.";

  /// The thread of a task. Immutable.
  ///
  /// @param isCanceled whether the task was cancelled while it asked something
  /// @param error the reason of a failure
  record Standing(boolean isCanceled, Map<String, JsonNode> open, JsonNode values, String error) {}

  static KnownTask of(String task, List<JsonNode> runs, Standing thread) {
    var run = runs.getFirst();
    var status = run.path("status").asString("");
    var state = state(status, thread.isCanceled(), !thread.open().isEmpty());
    return new KnownTask(
        task,
        run.path("thread_id").asString(""),
        state,
        runs,
        state.equals(TaskStates.INPUT_REQUIRED) ? thread.open() : Map.of(),
        thread.values(),
        thread.error());
  }

  private static String state(String status, boolean isCanceled, boolean asks) {
    return switch (status) {
      case "pending" -> TaskStates.SUBMITTED;
      case "running" -> TaskStates.WORKING;
      case "error", "timeout" -> TaskStates.FAILED;
      default -> {
        if (isCanceled) yield TaskStates.CANCELED;
        if (asks) yield TaskStates.INPUT_REQUIRED;
        yield status.equals("success") ? TaskStates.COMPLETED : TaskStates.CANCELED;
      }
    };
  }

  /// Its newest run.
  JsonNode run() {
    return runs.getFirst();
  }

  /// Returns whether it neither has ended nor waits for an answer.
  boolean isAtWork() {
    return state.equals(TaskStates.SUBMITTED) || state.equals(TaskStates.WORKING);
  }

  static String error(JsonNode thread) {
    return thread.path("error").path("message").asString(FAILED);
  }

  /// Adds questions by their ids.
  static void open(JsonNode interrupts, Map<String, JsonNode> open) {
    for (var asked : interrupts) open.put(asked.path("id").asString(""), asked.path("value"));
  }
}
