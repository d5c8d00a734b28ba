package dev.superstep.model.vendor;

import static dev.superstep.model.vendor.Replies.count;

import dev.langchain4j.http.client.HttpClientBuilder;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.mistralai.MistralAiChatModel;
import dev.langchain4j.model.mistralai.MistralAiStreamingChatModel;
import dev.langchain4j.model.output.TokenUsage;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ResponseFormat;
import dev.superstep.model.Usage;
import java.util.Optional;
import java.util.function.UnaryOperator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Mistral's chat completions: close to OpenAI's, but strict about fields it does not know.
record MistralVendor() implements Vendor {
  @Override
  public String title() {
    return "Mistral";
  }

  @Override
  public ChatModel whole(Endpoint at, HttpClientBuilder transport) {
    return MistralAiChatModel.builder()
        .httpClientBuilder(transport)
        .baseUrl(at.base())
        .apiKey(at.key().value())
        .modelName(at.model())
        .maxRetries(0)
        .build();
  }

  @Override
  public StreamingChatModel streamed(Endpoint at, HttpClientBuilder transport) {
    return MistralAiStreamingChatModel.builder()
        .httpClientBuilder(transport)
        .baseUrl(at.base())
        .apiKey(at.key().value())
        .modelName(at.model())
        .build();
  }

  @Override
  public void complete(ObjectNode body, ChatRequest request) {
    Schemas.fillTools(
        body.path("tools"), request, "function", "parameters", UnaryOperator.identity());
    if (request.format() instanceof ResponseFormat.JsonSchema format) {
      body.set("response_format", Schemas.responseFormat(format));
    }
    request.seed().ifPresent(seed -> body.put("random_seed", Math.floorMod(seed, 1L << 31)));
  }

  @Override
  public Optional<String> finish(JsonNode reply) {
    return reply.path("choices").path(0).path("finish_reason").stringValueOpt();
  }

  @Override
  public void mend(ObjectNode reply) {
    var content = reply.path("choices").path(0).path("message").path("content");
    if (!content.isArray()) return;
    Replies.joinTexts(content, chunk -> "text".equals(chunk.path("type").asString("")));
  }

  @Override
  public Usage usage(TokenUsage used) {
    return new Usage(count(used.inputTokenCount()), 0, count(used.outputTokenCount()), 0);
  }
}
