package dev.superstep.repl.agent;

import dev.superstep.message.AssistantMessage;
import dev.superstep.message.Message;
import dev.superstep.message.SystemMessage;
import dev.superstep.message.ToolMessage;
import dev.superstep.message.UserMessage;
import dev.superstep.middleware.AgentContext;
import dev.superstep.repl.host.HostValue;
import dev.superstep.repl.internal.json.HostJson;
import dev.superstep.repl.record.SessionInput;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Makes the variables that a session begins with.
final class InputVariables {
  private InputVariables() {}

  /// Those of a run whose first cell is about to run.
  static SessionInput of(AgentContext context) {
    var before = new ArrayList<>(context.conversation());
    // The reply with the first cell is no part of what the session was given.
    if (!before.isEmpty() && isCell(before.getLast())) before.removeLast();
    int task = 0;
    for (int i = 0; i < before.size(); i++) if (before.get(i) instanceof UserMessage) task = i;
    var all = new LinkedHashMap<String, HostValue>();
    all.put("run", run(context));
    all.put("messages", messages(before.subList(task, before.size())));
    all.put("history", messages(before.subList(0, task)));
    context.node().find(ReplAgent.STATE).ifPresent(json -> all.put("state", HostJson.read(json)));
    return new SessionInput(context.run(), HostJson.of(new HostValue.Entries(all)));
  }

  private static boolean isCell(Message message) {
    return message instanceof AssistantMessage reply
        && reply.calls().stream().anyMatch(call -> call.tool().equals(CellMiddleware.TOOL));
  }

  private static HostValue run(AgentContext context) {
    var all = new LinkedHashMap<String, HostValue>();
    all.put("id", HostValue.of(context.run()));
    all.put("parent", HostValue.of(context.parent().orElse("")));
    all.put("root", HostValue.of(context.root()));
    all.put("thread", HostValue.of(context.node().thread().orElse("")));
    all.put("agent", HostValue.of(context.agent()));
    var labels = new LinkedHashMap<String, HostValue>();
    context.labels().forEach((name, value) -> labels.put(name, HostValue.of(value)));
    all.put("tags", new HostValue.Entries(labels));
    return new HostValue.Entries(all);
  }

  private static HostValue messages(List<Message> messages) {
    var all = new ArrayList<HostValue>();
    for (var message : messages) {
      var role =
          switch (message) {
            case SystemMessage _ -> "system";
            case UserMessage _ -> "user";
            case AssistantMessage _ -> "assistant";
            case ToolMessage _ -> "tool";
          };
      var one = new LinkedHashMap<String, HostValue>();
      one.put("role", HostValue.of(role));
      one.put("content", HostValue.of(message.text()));
      all.add(new HostValue.Entries(one));
    }
    return new HostValue.Items(all);
  }

  /// The values by their names.
  static Map<String, HostValue> read(SessionInput input) {
    return HostJson.read(input.values()) instanceof HostValue.Entries(var values)
        ? values
        : Map.of();
  }
}
