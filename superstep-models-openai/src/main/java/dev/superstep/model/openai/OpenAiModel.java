package dev.superstep.model.openai;

import com.openai.client.OpenAIClient;
import com.openai.client.OpenAIClientImpl;
import com.openai.core.ClientOptions;
import com.openai.core.LogLevel;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import com.openai.models.chat.completions.ChatCompletionStreamOptions;
import com.openai.models.responses.ResponseCreateParams;
import dev.superstep.model.openai.OpenAiModels.Api;
import dev.superstep.model.wire.Endpoint;
import dev.superstep.model.wire.Exchange;
import dev.superstep.model.wire.OpenAiChat;
import dev.superstep.model.wire.OpenAiResponses;
import dev.superstep.model.wire.Protocol;
import dev.superstep.model.wire.ProtocolModel;

/// A model that is asked through OpenAI's library. Safe for many threads.
final class OpenAiModel extends ProtocolModel {
  /// Placeholder for the library's request, which the transport replaces.
  private static final String ANYTHING = "-";

  private final Api api;
  private final OpenAIClient client;

  OpenAiModel(Endpoint endpoint, Api api) {
    super(endpoint, protocol(api));
    this.api = api;
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

  private static Protocol protocol(Api api) {
    return switch (api) {
      case RESPONSES -> new OpenAiResponses();
      case CHAT -> OpenAiChat.ofOpenAi();
    };
  }

  @Override
  protected void send(Exchange exchange, boolean streamed) {
    // The exchange has heard everything before there is a stream.
    switch (api) {
      case RESPONSES -> {
        if (streamed) {
          try (var _ = client.responses().createStreaming(responses())) {}
        } else {
          client.responses().create(responses());
        }
      }
      case CHAT -> {
        var usage = ChatCompletionStreamOptions.builder().includeUsage(true).build();
        var completions = client.chat().completions();
        if (streamed) {
          try (var _ = completions.createStreaming(chat().streamOptions(usage).build())) {}
        } else {
          completions.create(chat().build());
        }
      }
    }
  }

  private ResponseCreateParams responses() {
    return ResponseCreateParams.builder().model(endpoint.model()).input(ANYTHING).build();
  }

  private ChatCompletionCreateParams.Builder chat() {
    return ChatCompletionCreateParams.builder().model(endpoint.model()).addUserMessage(ANYTHING);
  }
}
