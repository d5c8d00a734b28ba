package dev.superstep.agent;

import dev.superstep.message.AssistantMessage;
import dev.superstep.message.Message;
import dev.superstep.model.Usage;
import java.util.List;

/// What a run of an agent came to.
///
/// @param messages what the run added to the conversation, oldest first
/// @param answer the last thing the model said
/// @param usage of all model calls together
/// @param toolCalls how many tool calls were answered, bad ones included
/// @param stopped why the run ended; a limit only if the agent returns partial results
public record AgentResult(
    List<Message> messages,
    AssistantMessage answer,
    Usage usage,
    int modelCalls,
    int toolCalls,
    StopReason stopped) {
  public AgentResult {
    messages = List.copyOf(messages);
  }

  /// The text of the answer.
  public String text() {
    return answer.text();
  }
}
