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
import dev.superstep.model.ModelRef;
import dev.superstep.model.openai.OpenAiModels.Api;
import dev.superstep.model.wire.Endpoint;
import dev.superstep.model.wire.Exchange;
import dev.superstep.model.wire.OpenAiChat;
import dev.superstep.model.wire.OpenAiResponses;
import dev.superstep.model.wire.Protocol;

/// A model that is asked through OpenAI's library. Safe for many threads.
final class OpenAiModel implements ChatModel {
  /// What the library is asked; the transport puts what is sent in its place.
  private static final String ANYTHING = "-";

  private final Endpoint at;
  private final Api api;
  private final Protocol protocol;

  OpenAiModel(Endpoint at, Api api) {
    this.at = at;
    this.api = api;
    this.protocol =
        switch (api) {
          case RESPONSES -> new OpenAiResponses();
          case CHAT -> OpenAiChat.ofOpenAi();
        };
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
    var exchange = new Exchange(at, protocol, request, listener);
    var client = client(new Transport(exchange, stream));
    return exchange.with(() -> {
      switch (api) {
        case RESPONSES -> responses(client, stream);
        case CHAT -> chat(client, stream);
      }
    });
  }

  private OpenAIClient client(Transport transport) {
    return new OpenAIClientImpl(
        ClientOptions.builder()
            .httpClient(transport)
            .baseUrl(at.base())
            .apiKey(String.valueOf(at.key().value()))
            .maxRetries(0)
            .logLevel(LogLevel.OFF)
            .build());
  }

  private void responses(OpenAIClient client, boolean stream) {
    var params = ResponseCreateParams.builder().model(at.model()).input(ANYTHING).build();
    if (stream) {
      client.responses().createStreaming(params).close();
    } else {
      client.responses().create(params);
    }
  }

  private void chat(OpenAIClient client, boolean stream) {
    var params = ChatCompletionCreateParams.builder().model(at.model()).addUserMessage(ANYTHING);
    if (stream) {
      var usage = ChatCompletionStreamOptions.builder().includeUsage(true).build();
      client.chat().completions().createStreaming(params.streamOptions(usage).build()).close();
    } else {
      client.chat().completions().create(params.build());
    }
  }

  @Override
  public String toString() {
    return "OpenAiModel[" + at.ref() + "]";
  }
}
