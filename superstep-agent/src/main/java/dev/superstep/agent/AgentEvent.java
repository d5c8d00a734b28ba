package dev.superstep.agent;

import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.model.ChatReply;
import java.time.Duration;

/// Something that happened in a run of an agent. Immutable.
public sealed interface AgentEvent {
  /// The name of the agent.
  String agent();

  /// The model is asked.
  ///
  /// @param call counts the model calls of the run, from 1
  record ModelCallStarted(String agent, int call) implements AgentEvent {}

  /// A piece of the model's text arrived. Only for listeners that want text.
  record TextArrived(String agent, int call, String text) implements AgentEvent {}

  /// The model replied.
  record ModelCalled(String agent, int call, ChatReply reply) implements AgentEvent {}

  /// A tool call with good arguments started.
  record ToolStarted(String agent, ToolCall call) implements AgentEvent {}

  /// A tool call was answered; a bad one without having started.
  record ToolFinished(String agent, ToolCall call, ToolMessage answer, Duration took)
      implements AgentEvent {}

  /// The run ended without an exception.
  record AgentFinished(String agent, AgentResult result) implements AgentEvent {}

  /// The run met a limit.
  record LimitMet(String agent, StopReason reason) implements AgentEvent {}
}
