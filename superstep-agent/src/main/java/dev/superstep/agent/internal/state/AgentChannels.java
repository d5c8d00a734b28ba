package dev.superstep.agent.internal.state;

import dev.superstep.budget.Spend;
import dev.superstep.json.Json;
import dev.superstep.message.Message;
import dev.superstep.message.Messages;
import dev.superstep.message.ToolMessage;
import dev.superstep.state.Channel;
import java.util.List;

/// The channels of an agent's graph, beside those of [AgentRunState] and [SteeringState].
public final class AgentChannels {
  /// The conversation of an agent, unless it is on a channel of the outer graph.
  public static final Channel<List<Message>, Message> CONVERSATION = Messages.channel("messages");

  /// The spending of the agent and of those that it called.
  public static final Channel<Spend, Spend> SPEND =
      Channel.reduce("agent-spend", Spend.class, Spend.NONE, Spend::plus);

  /// The results of tools that are the answer of the agent.
  public static final Channel<List<ToolMessage>, ToolMessage> FINAL =
      Channel.append("agent-final", ToolMessage.class);

  /// The task from the calling agent, if an agent called this one.
  public static final Channel<Delegation, Delegation> CALLED =
      Channel.latest("agent-called", Delegation.class);

  /// The conversations of sub-agents that remember, in this run. Only there if one does.
  public static final Channel<List<Session>, Session> SESSIONS =
      Channel.append("agent-sessions", Session.class);

  /// The answer, as JSON.
  public static final Channel<Json, Json> ANSWER = Channel.latest("agent-answer", Json.class);

  /// The calls that people approved, in this line of the thread's history and in those that it came
  /// from.
  public static final Channel<List<ApprovedCall>, ApprovedCall> APPROVED =
      Channel.append("agent-approved", ApprovedCall.class);

  private AgentChannels() {}

  /// A piece of the conversation of an agent that remembers.
  ///
  /// @param isWhole whether it takes the place of all pieces before
  public record Session(String tool, List<Message> messages, boolean isWhole) {}
}
