package dev.superstep.example.migration.springai.before;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingChatOptions;

/// A model with fixed replies, so that the programs run without a key. For one thread.
final class ScriptedModel implements ChatModel {
  private final Queue<AssistantMessage> replies;

  ScriptedModel(AssistantMessage... replies) {
    this.replies = new ArrayDeque<>(List.of(replies));
  }

  static AssistantMessage text(String text) {
    return new AssistantMessage(text);
  }

  static AssistantMessage call(String id, String tool, String arguments) {
    var call = new AssistantMessage.ToolCall(id, "function", tool, arguments);
    return AssistantMessage.builder().content("").toolCalls(List.of(call)).build();
  }

  /// The options that make the client run tools.
  @Override
  public ChatOptions getOptions() {
    return ToolCallingChatOptions.builder().build();
  }

  @Override
  public ChatResponse call(Prompt prompt) {
    return new ChatResponse(List.of(new Generation(replies.remove())));
  }
}
