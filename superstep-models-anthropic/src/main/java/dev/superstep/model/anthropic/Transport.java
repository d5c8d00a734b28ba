package dev.superstep.model.anthropic;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.anthropic.core.RequestOptions;
import com.anthropic.core.http.HttpClient;
import com.anthropic.core.http.HttpRequest;
import com.anthropic.core.http.HttpResponse;
import dev.superstep.model.wire.Exchange;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// The HTTP client of Anthropic's library. Immutable.
record Transport() implements HttpClient {
  /// The version of the API that the protocol speaks; the library's may be newer.
  private static final String VERSION = "2023-06-01";

  @Override
  public HttpResponse execute(HttpRequest asked, RequestOptions options) {
    var exchange = Exchange.current();
    var sent = new ByteArrayOutputStream();
    asked.body().ifPresent(skeleton -> skeleton.writeTo(sent));
    var body = (ObjectNode) JsonMapper.shared().readTree(sent.toString(UTF_8));
    body.setAll(exchange.body());
    var headers = new TreeMap<String, List<String>>(String.CASE_INSENSITIVE_ORDER);
    for (var name : asked.headers().names()) {
      headers.put(name, new ArrayList<>(asked.headers().values(name)));
    }
    headers.put("anthropic-version", List.of(VERSION));
    headers.putIfAbsent("Content-Type", List.of("application/json"));
    throw exchange.send(asked.url(), headers, body.toString());
  }

  @Override
  public CompletableFuture<HttpResponse> executeAsync(HttpRequest asked, RequestOptions options) {
    throw new UnsupportedOperationException("models are asked on the calling thread");
  }

  @Override
  public void close() {}
}
