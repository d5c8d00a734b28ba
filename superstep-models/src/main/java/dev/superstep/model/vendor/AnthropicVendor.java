package dev.superstep.model.vendor;

import static dev.superstep.model.vendor.Replies.count;

import dev.langchain4j.http.client.HttpClientBuilder;
import dev.langchain4j.model.anthropic.AnthropicChatModel;
import dev.langchain4j.model.anthropic.AnthropicStreamingChatModel;
import dev.langchain4j.model.anthropic.AnthropicTokenUsage;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.output.TokenUsage;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.Usage;
import java.util.Optional;
import java.util.function.UnaryOperator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Anthropic's messages. The API has no seed, and only its newest models take a schema for the
/// answer, so that goes into the prompt.
record AnthropicVendor() implements Vendor {
  /// The API requires a limit; every model that is still served takes this one.
  private static final int OUTPUT_TOKENS = 8192;

  @Override
  public String title() {
    return "Anthropic";
  }

  @Override
  public ChatModel whole(Endpoint at, HttpClientBuilder transport) {
    return AnthropicChatModel.builder()
        .httpClientBuilder(transport)
        .baseUrl(at.base())
        .apiKey(at.key().value())
        .modelName(at.model())
        .maxTokens(OUTPUT_TOKENS)
        .maxRetries(0)
        .build();
  }

  @Override
  public StreamingChatModel streamed(Endpoint at, HttpClientBuilder transport) {
    return AnthropicStreamingChatModel.builder()
        .httpClientBuilder(transport)
        .baseUrl(at.base())
        .apiKey(at.key().value())
        .modelName(at.model())
        .maxTokens(OUTPUT_TOKENS)
        .build();
  }

  @Override
  public void complete(ObjectNode body, ChatRequest request) {
    Schemas.fillTools(body.path("tools"), request, "", "input_schema", UnaryOperator.identity());
  }

  @Override
  public Optional<String> finish(JsonNode reply) {
    var whole = reply.path("stop_reason").stringValueOpt();
    return whole.or(() -> reply.path("delta").path("stop_reason").stringValueOpt());
  }

  @Override
  public void mend(ObjectNode reply) {
    Replies.joinTexts(reply.path("content"), b -> "text".equals(b.path("type").asString("")));
  }

  @Override
  public Usage usage(TokenUsage used) {
    var input = count(used.inputTokenCount());
    var output = count(used.outputTokenCount());
    if (!(used instanceof AnthropicTokenUsage more)) return new Usage(input, 0, output, 0);
    var cached = count(more.cacheReadInputTokens());
    // Anthropic does not count cached tokens as input.
    return new Usage(input + cached + count(more.cacheCreationInputTokens()), cached, output, 0);
  }

  @Override
  public boolean wantsSchemaInPrompt() {
    return true;
  }

  @Override
  public boolean wantsObjectArguments() {
    return true;
  }
}
