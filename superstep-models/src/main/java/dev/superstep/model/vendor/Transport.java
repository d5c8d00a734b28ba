package dev.superstep.model.vendor;

import dev.langchain4j.http.client.HttpClient;
import dev.langchain4j.http.client.HttpClientBuilder;
import dev.langchain4j.http.client.HttpRequest;
import dev.langchain4j.http.client.SuccessfulHttpResponse;
import dev.langchain4j.http.client.sse.ServerSentEventListener;
import dev.langchain4j.http.client.sse.ServerSentEventParser;
import dev.superstep.model.wire.Exchange;
import java.time.Duration;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// The HTTP client that LangChain4j is given for one call. One thread at a time.
final class Transport implements HttpClient, HttpClientBuilder {
  private final Duration timeout;

  Transport(Duration timeout) {
    this.timeout = timeout;
  }

  @Override
  public SuccessfulHttpResponse execute(HttpRequest asked) {
    throw send(asked);
  }

  @Override
  public void execute(
      HttpRequest asked, ServerSentEventParser parser, ServerSentEventListener listener) {
    throw send(asked);
  }

  private static Exchange.Over send(HttpRequest asked) {
    var exchange = Exchange.current();
    var body = (ObjectNode) JsonMapper.shared().readTree(asked.body());
    body.setAll(exchange.body());
    return exchange.send(asked.url(), asked.headers(), body.toString());
  }

  @Override
  public HttpClient build() {
    return this;
  }

  @Override
  public Duration connectTimeout() {
    return timeout;
  }

  @Override
  public HttpClientBuilder connectTimeout(Duration ignored) {
    return this;
  }

  @Override
  public Duration readTimeout() {
    return timeout;
  }

  @Override
  public HttpClientBuilder readTimeout(Duration ignored) {
    return this;
  }
}
