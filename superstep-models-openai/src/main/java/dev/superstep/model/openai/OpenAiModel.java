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

  private final Endpoint at;
  private final Api api;
  private final Protocol protocol;
  private final OpenAIClient client;

  OpenAiModel(Endpoint at, Api api) {
    this.at = at;
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
                .baseUrl(at.base())
                .apiKey(String.valueOf(at.key().value()))
                .maxRetries(0)
                .logLevel(LogLevel.OFF)
                .build());
  }

  @Override
  public ModelRef ref() {
    return at.ref();
  }

  @Override
  public Optional<ModelIdentity> identity() {
    return Optional.of(at.identity(protocol));
  }

  @Override
  public ChatReply call(ChatRequest request) throws InterruptedException {
    var exchange = Exchange.whole(at, protocol, request);
    return exchange.with(() -> {
      switch (api) {
        case RESPONSES -> client.responses().create(responses());
        case CHAT -> client.chat().completions().create(chat().build());
      }
    });
  }

  @Override
  public ChatReply stream(ChatRequest request, DeltaListener listener) throws InterruptedException {
    var exchange = Exchange.streamed(at, protocol, request, listener);
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
    return ResponseCreateParams.builder().model(at.model()).input(ANYTHING).build();
  }

  private ChatCompletionCreateParams.Builder chat() {
    return ChatCompletionCreateParams.builder().model(at.model()).addUserMessage(ANYTHING);
  }

  @Override
  public String toString() {
    return "OpenAiModel[" + at.ref() + "]";
  }
}
