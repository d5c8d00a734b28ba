package dev.superstep.model.gemini;

import com.google.genai.Client;
import com.google.genai.types.ClientOptions;
import com.google.genai.types.GenerateContentConfig;
import com.google.genai.types.HttpOptions;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelRef;
import dev.superstep.model.wire.Endpoint;
import dev.superstep.model.wire.Exchange;
import dev.superstep.model.wire.GeminiContents;
import okhttp3.OkHttpClient;

/// A model that is asked through Google's library. Safe for many threads.
final class GeminiModel implements ChatModel {
  /// What the library is asked; the transport puts what is sent in its place.
  private static final String ANYTHING = "-";

  private final Endpoint at;

  GeminiModel(Endpoint at) {
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
    var exchange = new Exchange(at, new GeminiContents(), request, listener);
    var config = GenerateContentConfig.builder().build();
    return exchange.with(() -> {
      try (var client = client(new Transport(exchange, stream))) {
        if (stream) {
          client.models.generateContentStream(at.model(), ANYTHING, config).close();
        } else {
          client.models.generateContent(at.model(), ANYTHING, config);
        }
      }
    });
  }

  private Client client(Transport transport) {
    int version = at.base().lastIndexOf('/');
    var http =
        HttpOptions.builder()
            .baseUrl(at.base().substring(0, version))
            .apiVersion(at.base().substring(version + 1))
            .build();
    var okHttp = new OkHttpClient.Builder().addInterceptor(transport).build();
    return Client.builder()
        .apiKey(String.valueOf(at.key().value()))
        .vertexAI(false)
        .httpOptions(http)
        .clientOptions(ClientOptions.builder().customHttpClient(okHttp).build())
        .build();
  }

  @Override
  public String toString() {
    return "GeminiModel[" + at.ref() + "]";
  }
}
