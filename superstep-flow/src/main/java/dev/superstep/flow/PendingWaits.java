package dev.superstep.flow;

import dev.superstep.agent.Agent;
import dev.superstep.checkpoint.Interrupt;
import dev.superstep.message.ToolCall;
import dev.superstep.run.ThreadState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The answers that a flow waits for, under names for people.
final class PendingWaits {
  private PendingWaits() {}

  /// In task order.
  static List<PendingWait> of(ThreadState state) {
    return state.questions().stream().map(asked -> suspension(asked, state)).toList();
  }

  private static PendingWait suspension(Interrupt asked, ThreadState state) {
    return new PendingWait(asked.id(), toolId(asked, state), asked.question(), asked.payload());
  }

  /// Returns the states on the path to the asking task, then the asking tool or the name of the
  /// question.
  private static String toolId(Interrupt asked, ThreadState outermost) {
    var path = new ArrayList<String>();
    var state = outermost;
    var inside = inside(asked, state);
    while (inside != null) {
      path.add(inside.getKey());
      state = inside.getValue();
      inside = inside(asked, state);
    }
    var sent = state.sent().get(asked.task());
    var call = sent == null ? Optional.<ToolCall>empty() : Agent.sentCall(sent);
    if (call.isPresent()) path.add(call.get().tool());
    else if (path.isEmpty()) path.add(asked.node());
    else path.add(asked.question());
    return String.join(StateType.INSIDE, path);
  }

  private static Map.@Nullable Entry<String, ThreadState> inside(
      Interrupt asked, ThreadState state) {
    for (var entry : state.inside().entrySet()) {
      if (entry.getValue().questions().stream().anyMatch(q -> q.id().equals(asked.id()))) {
        return entry;
      }
    }
    return null;
  }
}
