package dev.superstep.model.gemini;

import dev.superstep.model.wire.Exchange;
import java.io.IOException;
import okhttp3.Interceptor;
import okhttp3.Response;
import okio.Buffer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// Stands before the HTTP client of Google's library for one call, and lets nothing through. One
/// thread at a time.
record Transport(Exchange exchange, boolean stream) implements Interceptor {
  @Override
  public Response intercept(Chain chain) throws IOException {
    var asked = chain.request();
    var sent = new Buffer();
    var skeleton = asked.body();
    if (skeleton != null) skeleton.writeTo(sent);
    var body = (ObjectNode) JsonMapper.shared().readTree(sent.readUtf8());
    body.setAll(exchange.body());
    var headers = asked.headers().toMultimap();
    headers.putIfAbsent("content-type", java.util.List.of("application/json"));
    throw exchange.send(asked.url().toString(), headers, body.toString(), stream);
  }
}
