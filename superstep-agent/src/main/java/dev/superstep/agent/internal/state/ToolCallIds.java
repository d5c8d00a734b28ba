package dev.superstep.agent.internal.state;

import dev.superstep.message.AssistantMessage;
import dev.superstep.message.Message;
import dev.superstep.message.ToolCall;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The ids of tool calls. Models repeat them or leave them out, but answers are matched by them.
public final class ToolCallIds {
  private static final String NONE_GIVEN = "call";

  private ToolCallIds() {}

  /// Gives each call of a message an id that no other call of it has. A new id differs from those
  /// of earlier calls, too.
  public static AssistantMessage unique(AssistantMessage reply, List<Message> conversation) {
    if (!reply.hasToolCalls()) return reply;
    var taken = new HashSet<String>();
    for (var call : reply.calls()) if (!call.id().isBlank()) taken.add(call.id());
    if (taken.size() == reply.calls().size()) return reply;
    for (var message : conversation) {
      if (!(message instanceof AssistantMessage other)) continue;
      for (var call : other.calls()) taken.add(call.id());
    }
    var seen = new HashSet<String>();
    var numbers = new HashMap<String, Integer>();
    var calls = new ArrayList<ToolCall>(reply.calls().size());
    for (var call : reply.calls()) {
      boolean isGood = !call.id().isBlank() && seen.add(call.id());
      var id = isGood ? call.id() : free(call, taken, numbers);
      calls.add(new ToolCall(id, call.tool(), call.arguments(), call.seal()));
    }
    return reply.withCalls(calls);
  }

  /// @param numbers the last one that was tried for each id
  private static String free(ToolCall call, Set<String> taken, Map<String, Integer> numbers) {
    var base = call.id().isBlank() ? NONE_GIVEN : call.id();
    if (!numbers.containsKey(base) && taken.add(base)) return base;
    while (true) {
      var id = base + "-" + numbers.merge(base, 2, (last, _) -> last + 1);
      if (taken.add(id)) return id;
    }
  }
}
