package dev.superstep.model.gemini;

import com.google.genai.Client;
import com.google.genai.types.ClientOptions;
import com.google.genai.types.GenerateContentConfig;
import com.google.genai.types.HttpOptions;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelIdentity;
import dev.superstep.model.ModelRef;
import dev.superstep.model.wire.Endpoint;
import dev.superstep.model.wire.Exchange;
import dev.superstep.model.wire.GeminiContents;
import java.util.Optional;
import okhttp3.OkHttpClient;

/// A model that is asked through Google's library. Safe for many threads.
final class GeminiModel implements ChatModel {
  /// Placeholder for the library's request, which the transport replaces.
  private static final String ANYTHING = "-";

  private final Endpoint endpoint;
  private final Client client;
  private final GenerateContentConfig config = GenerateContentConfig.builder().build();

  GeminiModel(Endpoint endpoint) {
    this.endpoint = endpoint;
    this.client = client(endpoint);
  }

  @Override
  public ModelRef ref() {
    return endpoint.ref();
  }

  @Override
  public Optional<ModelIdentity> identity() {
    return Optional.of(endpoint.identity(new GeminiContents()));
  }

  @Override
  public ChatReply call(ChatRequest request) throws InterruptedException {
    return Exchange.whole(endpoint, new GeminiContents(), request)
        .with(() -> client.models.generateContent(endpoint.model(), ANYTHING, config));
  }

  @Override
  public ChatReply stream(ChatRequest request, DeltaListener listener) throws InterruptedException {
    return Exchange.streamed(endpoint, new GeminiContents(), request, listener)
        .with(
            () -> client.models.generateContentStream(endpoint.model(), ANYTHING, config).close());
  }

  private static Client client(Endpoint endpoint) {
    int version = endpoint.base().lastIndexOf('/');
    var http =
        HttpOptions.builder()
            .baseUrl(endpoint.base().substring(0, version))
            .apiVersion(endpoint.base().substring(version + 1))
            .build();
    var okHttp = new OkHttpClient.Builder().addInterceptor(new Transport()).build();
    return Client.builder()
        .apiKey(String.valueOf(endpoint.key().value()))
        .vertexAI(false)
        .httpOptions(http)
        .clientOptions(ClientOptions.builder().customHttpClient(okHttp).build())
        .build();
  }

  @Override
  public String toString() {
    return "GeminiModel[" + endpoint.ref() + "]";
  }
}
