package dev.superstep.agent;

import dev.superstep.agent.run.StopReason;
import dev.superstep.budget.Spend;
import dev.superstep.message.Message;
import dev.superstep.model.ResolvedModel;
import dev.superstep.model.Usage;
import java.util.List;
import java.util.Optional;

/// The report of a run of an agent. Immutable.
///
/// @param conversation as it stands now, oldest message first
/// @param reason why it ended
/// @param text the last thing that was said
/// @param spent by all model calls together, those of agents that it called included
/// @param toolCalls how many tool calls were answered, bad ones included
/// @param model which model answered last
/// @param answerTool the tool by whose arguments a model gives an answer of a type; its call is in
///   the conversation, but is no call of a tool. Empty for an agent that answers with text
public record AgentReport(
    List<Message> conversation,
    StopReason reason,
    String text,
    Spend spent,
    int modelCalls,
    int toolCalls,
    Optional<ResolvedModel> model,
    Optional<String> answerTool) {
  public AgentReport {
    conversation = List.copyOf(conversation);
  }

  /// The tokens.
  public Usage usage() {
    return spent.usage();
  }

  /// Counts, for logs; nothing that was said.
  @Override
  public String toString() {
    return "AgentReport[%s, %d messages, %d model calls, %d tool calls, %d tokens]"
        .formatted(reason, conversation.size(), modelCalls, toolCalls, usage().total());
  }
}
