package dev.superstep.langchain4j;

import dev.langchain4j.model.chat.request.ResponseFormatType;
import dev.langchain4j.model.chat.request.json.JsonRawSchema;
import dev.langchain4j.model.chat.request.json.JsonSchema;
import dev.superstep.json.Json;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelException;
import dev.superstep.model.ModelRef;
import dev.superstep.model.ResponseFormat;
import dev.superstep.model.ToolChoice;
import dev.superstep.model.ToolSpec;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/// Requests in both forms.
final class Requests {
  private Requests() {}

  static dev.langchain4j.model.chat.request.ChatRequest toLangChain4j(
      ChatRequest request, ModelRef ref) {
    if (request.vendorOptions().isPresent()) {
      throw new ModelException(
          ModelException.Kind.BAD_REQUEST,
          "LangChain4j has no place for vendor options. Set them on its model (`%s`)."
              .formatted(ref));
    }
    var asked =
        dev.langchain4j.model.chat.request.ChatRequest.builder()
            .messages(Conversations.toLangChain4j(request.messages()));
    var tools = offered(request);
    if (!tools.isEmpty()) {
      asked.toolSpecifications(tools.stream().map(Specifications::toLangChain4j).toList());
      asked.toolChoice(
          switch (request.toolChoice()) {
            case ToolChoice.Auto _, ToolChoice.None _ ->
                dev.langchain4j.model.chat.request.ToolChoice.AUTO;
            case ToolChoice.Required _, ToolChoice.Named _ ->
                dev.langchain4j.model.chat.request.ToolChoice.REQUIRED;
          });
    }
    if (request.format() instanceof ResponseFormat.JsonSchema(var name, var schema)) {
      asked.responseFormat(
          dev.langchain4j.model.chat.request.ResponseFormat.builder()
              .type(ResponseFormatType.JSON)
              .jsonSchema(
                  JsonSchema.builder()
                      .name(name)
                      .rootElement(JsonRawSchema.from(schema.text()))
                      .build())
              .build());
    }
    request.temperature().ifPresent(asked::temperature);
    request.topP().ifPresent(asked::topP);
    request.maxTokens().ifPresent(asked::maxOutputTokens);
    if (!request.stop().isEmpty()) asked.stopSequences(request.stop());
    return asked.build();
  }

  private static List<ToolSpec> offered(ChatRequest request) {
    return switch (request.toolChoice()) {
      case ToolChoice.Auto _, ToolChoice.Required _ -> request.tools();
      case ToolChoice.None _ -> List.of();
      case ToolChoice.Named(var name) ->
          request.tools().stream().filter(tool -> tool.name().equals(name)).toList();
    };
  }

  static ChatRequest fromLangChain4j(dev.langchain4j.model.chat.request.ChatRequest asked) {
    var request = ChatRequest.of(Conversations.fromLangChain4j(asked.messages()));
    var tools = asked.toolSpecifications();
    if (tools != null && !tools.isEmpty()) {
      request = request.withTools(tools.stream().map(Specifications::fromLangChain4j).toList());
    }
    if (asked.toolChoice() != null) {
      request = request.withToolChoice(choice(asked.toolChoice()));
    }
    var format = asked.responseFormat();
    if (format != null && format.type() == ResponseFormatType.JSON && format.jsonSchema() != null) {
      request = request.withFormat(format(format.jsonSchema()));
    }
    if (asked.temperature() != null) request = request.withTemperature(asked.temperature());
    if (asked.topP() != null) request = request.withTopP(asked.topP());
    if (asked.maxOutputTokens() != null) request = request.withMaxTokens(asked.maxOutputTokens());
    var stop = asked.stopSequences();
    return stop == null || stop.isEmpty() ? request : request.withStop(stop.toArray(String[]::new));
  }

  private static ToolChoice choice(dev.langchain4j.model.chat.request.ToolChoice choice) {
    return switch (choice) {
      case AUTO -> ToolChoice.AUTO;
      case REQUIRED -> new ToolChoice.Required();
      case NONE -> new ToolChoice.None();
    };
  }

  private static ResponseFormat format(JsonSchema schema) {
    var root = schema.rootElement();
    if (root instanceof JsonRawSchema raw) {
      return new ResponseFormat.JsonSchema(schema.name(), Json.parse(raw.schema()));
    }
    Map<String, Object> map = dev.langchain4j.internal.JsonSchemaElementUtils.toMap(root);
    return new ResponseFormat.JsonSchema(
        schema.name(), Json.unchecked(JsonMapper.shared().writeValueAsString(map)));
  }
}
