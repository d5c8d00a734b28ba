package dev.superstep.agent;

import dev.superstep.message.AssistantMessage;
import dev.superstep.message.Message;
import dev.superstep.message.ToolCall;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// The ids of tool calls. Models repeat them or leave them out, but answers are matched by them.
final class CallIds {
  private static final String NONE_GIVEN = "call";

  private CallIds() {}

  /// The same message, with an id for each call that no other of its calls has. An id that had to
  /// be made is not one of an earlier call either.
  static AssistantMessage unique(AssistantMessage said, List<Message> conversation) {
    if (!said.hasToolCalls()) return said;
    var taken = new HashSet<String>();
    for (var call : said.calls()) if (!call.id().isBlank()) taken.add(call.id());
    if (taken.size() == said.calls().size()) return said;
    for (var message : conversation) {
      if (!(message instanceof AssistantMessage other)) continue;
      for (var call : other.calls()) taken.add(call.id());
    }
    var seen = new HashSet<String>();
    var calls = new ArrayList<ToolCall>(said.calls().size());
    for (var call : said.calls()) {
      boolean isGood = !call.id().isBlank() && seen.add(call.id());
      var id = isGood ? call.id() : free(call.id().isBlank() ? NONE_GIVEN : call.id(), taken);
      calls.add(new ToolCall(id, call.tool(), call.arguments(), call.seal()));
    }
    return said.withCalls(calls);
  }

  private static String free(String base, Set<String> taken) {
    var id = base;
    for (int i = 2; !taken.add(id); i++) id = base + "-" + i;
    return id;
  }
}
