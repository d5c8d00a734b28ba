package dev.superstep.agent.internal.state;

import dev.superstep.message.Message;
import dev.superstep.message.ToolCall;
import dev.superstep.message.UserMessage;
import java.util.ArrayList;
import java.util.List;

/// A task that another agent is given.
///
/// @param around the callers of that agent, the outermost first
/// @param before the conversation of its earlier calls, if it remembers
public record Delegation(
    ToolCall call, String task, List<AgentRunState.Around> around, List<Message> before) {
  public Delegation(ToolCall call, String task, List<AgentRunState.Around> around) {
    this(call, task, around, List.of());
  }

  /// The conversation that the agent begins with.
  public List<Message> conversation() {
    var all = new ArrayList<>(before);
    all.add(new UserMessage("", task));
    return all;
  }

  /// The task without the earlier conversation.
  public Delegation alone() {
    return new Delegation(call, task, around);
  }
}
