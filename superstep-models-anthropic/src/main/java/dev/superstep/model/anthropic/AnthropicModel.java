package dev.superstep.model.anthropic;

import com.anthropic.backends.AnthropicBackend;
import com.anthropic.client.AnthropicClient;
import com.anthropic.client.AnthropicClientImpl;
import com.anthropic.core.ClientOptions;
import com.anthropic.core.LogLevel;
import com.anthropic.models.messages.MessageCreateParams;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelRef;
import dev.superstep.model.wire.AnthropicMessages;
import dev.superstep.model.wire.Endpoint;
import dev.superstep.model.wire.Exchange;

/// A model that is asked through Anthropic's library. Safe for many threads.
final class AnthropicModel implements ChatModel {
  /// What the library is asked; the transport puts what is sent in its place.
  private static final String ANYTHING = "-";

  private final Endpoint at;

  AnthropicModel(Endpoint at) {
    this.at = at;
  }

  @Override
  public ModelRef ref() {
    return at.ref();
  }

  @Override
  public ChatReply call(ChatRequest request) throws InterruptedException {
    return ask(request, _ -> {}, false);
  }

  @Override
  public ChatReply stream(ChatRequest request, DeltaListener listener) throws InterruptedException {
    return ask(request, listener, true);
  }

  private ChatReply ask(ChatRequest request, DeltaListener listener, boolean stream)
      throws InterruptedException {
    var exchange = new Exchange(at, new AnthropicMessages(), request, listener);
    var client = client(new Transport(exchange, stream));
    var params =
        MessageCreateParams.builder()
            .model(at.model())
            .maxTokens(1)
            .addUserMessage(ANYTHING)
            .build();
    return exchange.with(() -> {
      if (stream) {
        client.messages().createStreaming(params).close();
      } else {
        client.messages().create(params);
      }
    });
  }

  private AnthropicClient client(Transport transport) {
    var backend =
        AnthropicBackend.builder()
            .apiKey(String.valueOf(at.key().value()))
            .baseUrl(withoutVersion(at.base()))
            .build();
    return new AnthropicClientImpl(
        ClientOptions.builder()
            .httpClient(transport)
            .backend(backend)
            .maxRetries(0)
            .logLevel(LogLevel.OFF)
            .build());
  }

  // The library adds the version by itself.
  private static String withoutVersion(String base) {
    return base.endsWith("/v1") ? base.substring(0, base.length() - 3) : base;
  }

  @Override
  public String toString() {
    return "AnthropicModel[" + at.ref() + "]";
  }
}
