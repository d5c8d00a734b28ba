package dev.superstep.model.vendor;

import static dev.superstep.model.vendor.Replies.count;

import dev.langchain4j.http.client.HttpClientBuilder;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.ollama.OllamaChatModel;
import dev.langchain4j.model.ollama.OllamaStreamingChatModel;
import dev.langchain4j.model.output.TokenUsage;
import dev.superstep.message.ToolMessage;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ResponseFormat;
import dev.superstep.model.Usage;
import java.util.Optional;
import java.util.function.UnaryOperator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Ollama's own chat API, which streams lines of JSON.
record OllamaVendor() implements Vendor {
  @Override
  public String title() {
    return "Ollama";
  }

  @Override
  public ChatModel whole(Endpoint at, HttpClientBuilder transport) {
    return OllamaChatModel.builder()
        .httpClientBuilder(transport)
        .baseUrl(at.base())
        .modelName(at.model())
        .maxRetries(0)
        .build();
  }

  @Override
  public StreamingChatModel streamed(Endpoint at, HttpClientBuilder transport) {
    return OllamaStreamingChatModel.builder()
        .httpClientBuilder(transport)
        .baseUrl(at.base())
        .modelName(at.model())
        .build();
  }

  @Override
  public void complete(ObjectNode body, ChatRequest request) {
    Schemas.fillTools(
        body.path("tools"), request, "function", "parameters", UnaryOperator.identity());
    if (request.format() instanceof ResponseFormat.JsonSchema(_, var schema)) {
      body.set("format", Schemas.of(schema));
    }
    request.seed().ifPresent(seed -> body.withObject("options").put("seed", seed));
    nameTools(body.path("messages"), request);
  }

  // Without ids, Ollama tells the results of parallel calls apart by the tool's name.
  private static void nameTools(JsonNode messages, ChatRequest request) {
    var results =
        request.messages().stream()
            .filter(ToolMessage.class::isInstance)
            .map(ToolMessage.class::cast)
            .iterator();
    for (var message : messages) {
      if (message instanceof ObjectNode object
          && "tool".equalsIgnoreCase(object.path("role").asString(""))
          && results.hasNext()) {
        object.put("tool_name", results.next().tool());
      }
    }
  }

  @Override
  public Optional<String> finish(JsonNode reply) {
    var done = reply.path("done");
    if (!done.isBoolean() || !done.booleanValue()) return Optional.empty();
    return reply.path("done_reason").stringValueOpt().or(() -> Optional.of("stop"));
  }

  @Override
  public Usage usage(TokenUsage used) {
    return new Usage(count(used.inputTokenCount()), 0, count(used.outputTokenCount()), 0);
  }

  @Override
  public boolean wantsObjectArguments() {
    return true;
  }
}
