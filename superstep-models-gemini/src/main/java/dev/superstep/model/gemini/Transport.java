package dev.superstep.model.gemini;

import dev.superstep.model.wire.Exchange;
import java.io.IOException;
import java.util.List;
import okhttp3.Interceptor;
import okhttp3.Response;

/// Stands before the HTTP client of Google's library, and lets nothing through. Immutable.
record Transport() implements Interceptor {
  @Override
  public Response intercept(Chain chain) throws IOException {
    var exchange = Exchange.current();
    var asked = chain.request();
    var headers = asked.headers().toMultimap();
    headers.putIfAbsent("content-type", List.of("application/json"));
    // Google's URLs say whether they stream, so nothing of the body that the library made is
    // needed.
    throw exchange.send(asked.url().toString(), headers, exchange.body().toString());
  }
}
