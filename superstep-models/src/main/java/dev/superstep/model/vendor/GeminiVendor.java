package dev.superstep.model.vendor;

import static dev.superstep.model.vendor.Replies.count;

import dev.langchain4j.http.client.HttpClientBuilder;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.googleai.GoogleAiGeminiChatModel;
import dev.langchain4j.model.googleai.GoogleAiGeminiStreamingChatModel;
import dev.langchain4j.model.googleai.GoogleAiGeminiTokenUsage;
import dev.langchain4j.model.output.TokenUsage;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ResponseFormat;
import dev.superstep.model.Usage;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Google's Gemini API.
record GeminiVendor() implements Vendor {
  @Override
  public String title() {
    return "Gemini";
  }

  @Override
  public ChatModel whole(Endpoint at, HttpClientBuilder transport) {
    return GoogleAiGeminiChatModel.builder()
        .httpClientBuilder(transport)
        .baseUrl(at.base())
        .apiKey(at.key().value())
        .modelName(at.model())
        .returnThinking(false)
        .maxRetries(0)
        .build();
  }

  @Override
  public StreamingChatModel streamed(Endpoint at, HttpClientBuilder transport) {
    return GoogleAiGeminiStreamingChatModel.builder()
        .httpClientBuilder(transport)
        .baseUrl(at.base())
        .apiKey(at.key().value())
        .modelName(at.model())
        .returnThinking(false)
        .build();
  }

  @Override
  public void complete(ObjectNode body, ChatRequest request) {
    var functions = body.path("tools").path(0).path("functionDeclarations");
    Schemas.fillTools(functions, request, "", "parametersJsonSchema", Schemas::forGemini);
    functions.forEach(function -> ((ObjectNode) function).remove("parameters"));
    var config = body.withObject("generationConfig");
    if (request.format() instanceof ResponseFormat.JsonSchema(_, var schema)) {
      config.put("responseMimeType", "application/json");
      config.set("responseJsonSchema", Schemas.forGemini(Schemas.of(schema)));
    }
    request.seed().ifPresent(seed -> config.put("seed", Math.floorMod(seed, 1L << 31)));
  }

  @Override
  public Optional<String> finish(JsonNode reply) {
    return reply.path("candidates").path(0).path("finishReason").stringValueOpt();
  }

  @Override
  public Optional<String> refusal(JsonNode reply) {
    return reply.path("promptFeedback").path("blockReason").stringValueOpt();
  }

  @Override
  public void mend(ObjectNode reply) {
    var parts = reply.path("candidates").path(0).path("content").path("parts");
    Replies.joinTexts(parts, part -> part.has("text") && !part.path("thought").asBoolean(false));
  }

  @Override
  public Usage usage(TokenUsage used) {
    var input = count(used.inputTokenCount());
    var output = count(used.outputTokenCount());
    if (!(used instanceof GoogleAiGeminiTokenUsage more)) return new Usage(input, 0, output, 0);
    var thoughts = count(more.thoughtsTokenCount());
    // Google does not count thoughts as output.
    return new Usage(input, count(more.cachedContentTokenCount()), output + thoughts, thoughts);
  }

  @Override
  public boolean wantsObjectArguments() {
    return true;
  }
}
