package dev.superstep.agent;

import dev.superstep.message.AssistantMessage;
import dev.superstep.message.Message;
import dev.superstep.message.ToolCall;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/// The ids of tool calls. Models repeat them or leave them out; answers are matched by them, and
/// vendors refuse conversations in which two calls have the same.
final class CallIds {
  private CallIds() {}

  /// The same message, with an id for each call that no other call of the conversation has.
  static AssistantMessage unique(AssistantMessage said, List<Message> conversation) {
    if (!said.hasToolCalls()) return said;
    var taken = new HashSet<String>();
    for (var message : conversation) {
      if (message instanceof AssistantMessage other) {
        for (var call : other.calls()) taken.add(call.id());
      }
    }
    var calls = new ArrayList<ToolCall>(said.calls().size());
    for (var call : said.calls()) {
      var base = call.id().isBlank() ? "call" : call.id();
      var id = base;
      for (int i = 2; !taken.add(id); i++) id = base + "-" + i;
      calls.add(new ToolCall(id, call.tool(), call.arguments(), call.seal()));
    }
    return calls.equals(said.calls()) ? said : said.withCalls(calls);
  }
}
