package dev.superstep.model.gemini;

import com.google.genai.Client;
import com.google.genai.types.ClientOptions;
import com.google.genai.types.GenerateContentConfig;
import com.google.genai.types.HttpOptions;
import dev.superstep.model.wire.Endpoint;
import dev.superstep.model.wire.Exchange;
import dev.superstep.model.wire.GeminiContents;
import dev.superstep.model.wire.ProtocolModel;
import okhttp3.OkHttpClient;

/// A model that is asked through Google's library. Safe for many threads.
final class GeminiModel extends ProtocolModel {
  /// Placeholder for the library's request, which the transport replaces.
  private static final String ANYTHING = "-";

  private final Client client;
  private final GenerateContentConfig config = GenerateContentConfig.builder().build();

  GeminiModel(Endpoint endpoint) {
    super(endpoint, new GeminiContents());
    this.client = client(endpoint);
  }

  @Override
  protected void send(Exchange exchange, boolean streamed) {
    if (streamed) client.models.generateContentStream(endpoint.model(), ANYTHING, config).close();
    else client.models.generateContent(endpoint.model(), ANYTHING, config);
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
}
