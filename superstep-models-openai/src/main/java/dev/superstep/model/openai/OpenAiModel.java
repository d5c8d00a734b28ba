package dev.superstep.model.openai;

import com.openai.client.OpenAIClient;
import com.openai.client.OpenAIClientImpl;
import com.openai.core.ClientOptions;
import com.openai.core.LogLevel;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import com.openai.models.chat.completions.ChatCompletionStreamOptions;
import com.openai.models.responses.ResponseCreateParams;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelIdentity;
import dev.superstep.model.ModelRef;
import dev.superstep.model.openai.OpenAiModels.Api;
import dev.superstep.model.wire.Endpoint;
import dev.superstep.model.wire.Exchange;
import dev.superstep.model.wire.OpenAiChat;
import dev.superstep.model.wire.OpenAiResponses;
import dev.superstep.model.wire.Protocol;
import java.util.Optional;

/// A model that is asked through OpenAI's library. Safe for many threads.
final class OpenAiModel implements ChatModel {
  /// Placeholder for the library's request, which the transport replaces.
  private static final String ANYTHING = "-";

  private final Endpoint endpoint;
  private final Api api;
  private final Protocol protocol;
  private final OpenAIClient client;

  OpenAiModel(Endpoint endpoint, Api api) {
    this.endpoint = endpoint;
    this.api = api;
    this.protocol =
        switch (api) {
          case RESPONSES -> new OpenAiResponses();
          case CHAT -> OpenAiChat.ofOpenAi();
        };
    this.client =
        new OpenAIClientImpl(
            ClientOptions.builder()
                .httpClient(new Transport())
                .baseUrl(endpoint.base())
                .apiKey(String.valueOf(endpoint.key().value()))
                .maxRetries(0)
                .logLevel(LogLevel.OFF)
                .build());
  }

  @Override
  public ModelRef ref() {
    return endpoint.ref();
  }

  @Override
  public Optional<ModelIdentity> identity() {
    return Optional.of(endpoint.identity(protocol));
  }

  @Override
  public ChatReply call(ChatRequest request) throws InterruptedException {
    var exchange = Exchange.whole(endpoint, protocol, request);
    return exchange.with(() -> {
      switch (api) {
        case RESPONSES -> client.responses().create(responses());
        case CHAT -> client.chat().completions().create(chat().build());
      }
    });
  }

  @Override
  public ChatReply stream(ChatRequest request, DeltaListener listener) throws InterruptedException {
    var exchange = Exchange.streamed(endpoint, protocol, request, listener);
    var usage = ChatCompletionStreamOptions.builder().includeUsage(true).build();
    return exchange.with(() -> {
      // The exchange has heard everything before there is a stream.
      switch (api) {
        case RESPONSES -> {
          try (var _ = client.responses().createStreaming(responses())) {}
        }
        case CHAT -> {
          var asked = chat().streamOptions(usage).build();
          try (var _ = client.chat().completions().createStreaming(asked)) {}
        }
      }
    });
  }

  private ResponseCreateParams responses() {
    return ResponseCreateParams.builder().model(endpoint.model()).input(ANYTHING).build();
  }

  private ChatCompletionCreateParams.Builder chat() {
    return ChatCompletionCreateParams.builder().model(endpoint.model()).addUserMessage(ANYTHING);
  }

  @Override
  public String toString() {
    return "OpenAiModel[" + endpoint.ref() + "]";
  }
}
