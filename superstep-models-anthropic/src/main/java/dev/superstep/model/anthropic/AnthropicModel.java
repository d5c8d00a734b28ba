package dev.superstep.model.anthropic;

import com.anthropic.client.AnthropicClient;
import com.anthropic.client.AnthropicClientImpl;
import com.anthropic.core.ClientOptions;
import com.anthropic.core.LogLevel;
import com.anthropic.models.messages.MessageCreateParams;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelIdentity;
import dev.superstep.model.ModelRef;
import dev.superstep.model.wire.AnthropicMessages;
import dev.superstep.model.wire.Endpoint;
import dev.superstep.model.wire.Exchange;
import java.util.Optional;

/// A model that is asked through Anthropic's library. Safe for many threads.
final class AnthropicModel implements ChatModel {
  private final Endpoint endpoint;
  private final AnthropicClient client;

  /// Placeholder for the library's request, which the transport replaces.
  private final MessageCreateParams anything;

  AnthropicModel(Endpoint endpoint) {
    this.endpoint = endpoint;
    this.client =
        new AnthropicClientImpl(
            ClientOptions.builder()
                .httpClient(new Transport())
                .baseUrl(withoutVersion(endpoint.base()))
                .putHeader("X-Api-Key", String.valueOf(endpoint.key().value()))
                .maxRetries(0)
                .logLevel(LogLevel.OFF)
                .build());
    this.anything =
        MessageCreateParams.builder()
            .model(endpoint.model())
            .maxTokens(1)
            .addUserMessage("-")
            .build();
  }

  @Override
  public ModelRef ref() {
    return endpoint.ref();
  }

  @Override
  public Optional<ModelIdentity> identity() {
    return Optional.of(endpoint.identity(new AnthropicMessages()));
  }

  @Override
  public ChatReply call(ChatRequest request) throws InterruptedException {
    return Exchange.whole(endpoint, new AnthropicMessages(), request)
        .with(() -> client.messages().create(anything));
  }

  @Override
  public ChatReply stream(ChatRequest request, DeltaListener listener) throws InterruptedException {
    return Exchange.streamed(endpoint, new AnthropicMessages(), request, listener)
        .with(() -> {
          try (var _ = client.messages().createStreaming(anything)) {
            // The exchange has heard everything before there is a stream.
          }
        });
  }

  // The library adds the version by itself.
  private static String withoutVersion(String base) {
    return base.endsWith("/v1") ? base.substring(0, base.length() - 3) : base;
  }

  @Override
  public String toString() {
    return "AnthropicModel[" + endpoint.ref() + "]";
  }
}
