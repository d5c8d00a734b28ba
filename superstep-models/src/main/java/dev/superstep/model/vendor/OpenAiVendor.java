package dev.superstep.model.vendor;

import static dev.superstep.model.vendor.Replies.count;

import dev.langchain4j.http.client.HttpClientBuilder;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.openai.OpenAiChatModel;
import dev.langchain4j.model.openai.OpenAiStreamingChatModel;
import dev.langchain4j.model.openai.OpenAiTokenUsage;
import dev.langchain4j.model.output.TokenUsage;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ResponseFormat;
import dev.superstep.model.Usage;
import java.util.Optional;
import java.util.function.UnaryOperator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// OpenAI's chat completions, spoken by OpenAI and by most model servers.
///
/// @param limitField OpenAI's newer models refuse `max_tokens`; other servers know nothing else
record OpenAiVendor(String title, String limitField) implements Vendor {
  @Override
  public ChatModel whole(Endpoint at, HttpClientBuilder transport) {
    return OpenAiChatModel.builder()
        .httpClientBuilder(transport)
        .baseUrl(at.base())
        .apiKey(at.key().value())
        .modelName(at.model())
        .maxRetries(0)
        .build();
  }

  @Override
  public StreamingChatModel streamed(Endpoint at, HttpClientBuilder transport) {
    return OpenAiStreamingChatModel.builder()
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
    request.seed().ifPresent(seed -> body.put("seed", seed));
    var limit = body.remove("max_tokens");
    if (limit != null) body.set(limitField, limit);
  }

  @Override
  public Optional<String> finish(JsonNode reply) {
    return reply.path("choices").path(0).path("finish_reason").stringValueOpt();
  }

  @Override
  public Optional<String> refusal(JsonNode reply) {
    var choice = reply.path("choices").path(0);
    var whole = choice.path("message").path("refusal").stringValueOpt();
    return whole
        .or(() -> choice.path("delta").path("refusal").stringValueOpt())
        .filter(text -> !text.isBlank());
  }

  // Without its type, LangChain4j would drop the call without a word.
  @Override
  public void mend(ObjectNode reply) {
    for (var call : reply.path("choices").path(0).path("message").path("tool_calls")) {
      if (call instanceof ObjectNode object && !object.hasNonNull("type")) {
        object.put("type", "function");
      }
    }
  }

  @Override
  public Usage usage(TokenUsage used) {
    var input = count(used.inputTokenCount());
    var output = count(used.outputTokenCount());
    if (!(used instanceof OpenAiTokenUsage more)) return new Usage(input, 0, output, 0);
    var in = more.inputTokensDetails();
    var out = more.outputTokensDetails();
    return new Usage(
        input,
        in == null ? 0 : count(in.cachedTokens()),
        output,
        out == null ? 0 : count(out.reasoningTokens()));
  }
}
