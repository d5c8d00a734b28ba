package dev.superstep.model.vendor;

import dev.langchain4j.http.client.HttpClient;
import dev.langchain4j.http.client.HttpClientBuilder;
import dev.langchain4j.http.client.HttpRequest;
import dev.langchain4j.http.client.SuccessfulHttpResponse;
import dev.langchain4j.http.client.sse.ServerSentEventListener;
import dev.langchain4j.http.client.sse.ServerSentEventParser;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// The HTTP client that LangChain4j is given. It sends nothing: it keeps what it was to send. One
/// thread at a time.
final class Transport implements HttpClient, HttpClientBuilder {
  private static final Duration UNUSED = Duration.ofMinutes(1);
  private @Nullable Envelope asked;

  private Transport() {}

  /// What a library sends.
  ///
  /// @throws RuntimeException the library's, if it sends nothing
  static Envelope asked(Envelope.Asking library) {
    var transport = new Transport();
    try {
      library.ask(transport);
    } catch (RuntimeException e) {
      // Libraries wrap what their HTTP client throws; only what came before it is an error.
      if (transport.asked == null) throw e;
    }
    var envelope = transport.asked;
    if (envelope == null) throw new IllegalStateException("the client library sent nothing");
    return envelope;
  }

  @Override
  public SuccessfulHttpResponse execute(HttpRequest request) {
    throw kept(request);
  }

  @Override
  public void execute(
      HttpRequest request, ServerSentEventParser parser, ServerSentEventListener listener) {
    throw kept(request);
  }

  private Kept kept(HttpRequest request) {
    var body = (ObjectNode) JsonMapper.shared().readTree(request.body());
    asked = new Envelope(request.url(), request.headers(), body);
    return new Kept();
  }

  @Override
  public HttpClient build() {
    return this;
  }

  @Override
  public Duration connectTimeout() {
    return UNUSED;
  }

  @Override
  public HttpClientBuilder connectTimeout(Duration ignored) {
    return this;
  }

  @Override
  public Duration readTimeout() {
    return UNUSED;
  }

  @Override
  public HttpClientBuilder readTimeout(Duration ignored) {
    return this;
  }

  /// Ends the call of a library that has done its part.
  private static final class Kept extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Kept() {
      super("the request is known", null, false, false);
    }
  }
}
