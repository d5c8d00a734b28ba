package dev.superstep.model.anthropic;

import com.anthropic.client.AnthropicClient;
import com.anthropic.client.AnthropicClientImpl;
import com.anthropic.core.ClientOptions;
import com.anthropic.core.LogLevel;
import com.anthropic.models.messages.MessageCreateParams;
import dev.superstep.model.wire.AnthropicMessages;
import dev.superstep.model.wire.Endpoint;
import dev.superstep.model.wire.Exchange;
import dev.superstep.model.wire.ProtocolModel;

/// A model that is asked through Anthropic's library. Safe for many threads.
final class AnthropicModel extends ProtocolModel {
  private final AnthropicClient client;

  /// Placeholder for the library's request, which the transport replaces.
  private final MessageCreateParams anything;

  AnthropicModel(Endpoint endpoint) {
    super(endpoint, new AnthropicMessages());
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
  protected void send(Exchange exchange, boolean streamed) {
    if (!streamed) {
      client.messages().create(anything);
      return;
    }
    try (var _ = client.messages().createStreaming(anything)) {
      // The exchange has heard everything before there is a stream.
    }
  }

  // The library adds the version by itself.
  private static String withoutVersion(String base) {
    return base.endsWith("/v1") ? base.substring(0, base.length() - 3) : base;
  }
}
