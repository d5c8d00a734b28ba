package dev.superstep.example.migration.langchain4j.before;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;

/// A model with fixed replies, so that the programs run without a key. For one thread.
final class ScriptedModel implements ChatModel {
  private final Queue<AiMessage> replies;

  ScriptedModel(AiMessage... replies) {
    this.replies = new ArrayDeque<>(List.of(replies));
  }

  static AiMessage call(String id, String tool, String arguments) {
    return AiMessage.from(
        ToolExecutionRequest.builder().id(id).name(tool).arguments(arguments).build());
  }

  @Override
  public ChatResponse doChat(ChatRequest request) {
    return ChatResponse.builder().aiMessage(replies.remove()).build();
  }
}
