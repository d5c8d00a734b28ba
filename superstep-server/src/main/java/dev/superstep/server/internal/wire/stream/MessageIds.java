package dev.superstep.server.internal.wire.stream;

import dev.superstep.graph.Graph;
import dev.superstep.server.internal.wire.WireIds;
import java.util.HashMap;
import java.util.Map;

/// The ids of messages while models say them. For one run and one thread.
final class MessageIds {
  private final Map<String, Integer> firstCalls = new HashMap<>();

  /// The id of the message that a model is saying. If it is the first of the task, that is the one
  /// that the message will have; what is said again has another one, so that clients do not add it
  /// to what was said before.
  ///
  /// @param call may count on from task to task
  String id(String task, int attempt, int call) {
    int first = firstCalls.computeIfAbsent(task, _ -> call);
    boolean isFirst = attempt <= 1 && call == first;
    return isFirst
        ? Graph.idOfWrite(task, 0)
        : WireIds.task("%s/%d/%d".formatted(task, attempt, call));
  }

  /// Forgets a task that has ended.
  void forget(String task) {
    firstCalls.remove(task);
  }
}
