package dev.superstep.model.vendor;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.superstep.message.AssistantMessage;
import dev.superstep.message.Message;
import dev.superstep.message.SystemMessage;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.message.UserMessage;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ResponseFormat;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/// Turns requests into LangChain4j's. Schemas are not among what its types can hold; the vendor
/// adds them in [Vendor#complete].
final class Prompts {
  private Prompts() {}

  static dev.langchain4j.model.chat.request.ChatRequest of(ChatRequest request, Vendor vendor) {
    var asked =
        dev.langchain4j.model.chat.request.ChatRequest.builder()
            .messages(messages(request, vendor))
            .toolSpecifications(
                request.tools().stream()
                    .map(tool ->
                        ToolSpecification.builder()
                            .name(tool.name())
                            .description(tool.description())
                            .build())
                    .toList());
    request.temperature().ifPresent(asked::temperature);
    request.maxTokens().ifPresent(asked::maxOutputTokens);
    return asked.build();
  }

  private static List<ChatMessage> messages(ChatRequest request, Vendor vendor) {
    var messages = new ArrayList<ChatMessage>();
    for (var message : request.messages()) {
      // Vendors refuse turns without content, and such turns say nothing.
      if (!isSilent(message)) messages.add(translated(message, vendor));
    }
    if (vendor.wantsSchemaInPrompt()
        && request.format() instanceof ResponseFormat.JsonSchema(_, var schema)) {
      messages.add(
          dev.langchain4j.data.message.SystemMessage.from(
              "Your answer must be exactly one JSON value that the JSON Schema below accepts:"
                  + " no text before or after it, no code fence.\n\n"
                  + schema.text()));
    }
    return messages;
  }

  private static boolean isSilent(Message message) {
    return switch (message) {
      case SystemMessage system -> system.text().isBlank();
      case AssistantMessage said -> said.text().isBlank() && said.calls().isEmpty();
      case UserMessage _, ToolMessage _ -> false;
    };
  }

  private static ChatMessage translated(Message message, Vendor vendor) {
    return switch (message) {
      case SystemMessage system -> dev.langchain4j.data.message.SystemMessage.from(system.text());
      case UserMessage user -> dev.langchain4j.data.message.UserMessage.from(user.text());
      case AssistantMessage said -> said(said, vendor);
      case ToolMessage answer ->
          ToolExecutionResultMessage.builder()
              .id(answer.callId())
              .toolName(answer.tool())
              .text(answer.text())
              .isError(answer.error())
              .build();
    };
  }

  private static AiMessage said(AssistantMessage message, Vendor vendor) {
    var said = AiMessage.builder();
    if (!message.text().isEmpty()) said.text(message.text());
    return said.toolExecutionRequests(
            message.calls().stream().map(call -> translated(call, vendor)).toList())
        .build();
  }

  private static ToolExecutionRequest translated(ToolCall call, Vendor vendor) {
    return ToolExecutionRequest.builder()
        .id(call.id())
        .name(call.tool())
        .arguments(vendor.wantsObjectArguments() ? objectOf(call.arguments()) : call.arguments())
        .build();
  }

  /// Arguments as an object; those that are none are shown to the model inside one, so that it sees
  /// what it wrote.
  private static String objectOf(String arguments) {
    if (arguments.isBlank()) return "{}";
    try {
      if (JsonMapper.shared().readTree(arguments).isObject()) return arguments;
    } catch (JacksonException _) {
      // Falls through: shown as text.
    }
    return JsonMapper.shared().createObjectNode().put("malformed_arguments", arguments).toString();
  }
}
