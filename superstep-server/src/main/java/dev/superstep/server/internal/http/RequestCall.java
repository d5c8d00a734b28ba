package dev.superstep.server.internal.http;

import dev.superstep.server.security.Principal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The call of a request.
final class RequestCall implements Call {
  private final Exchange exchange;
  private final Sender sender;
  private final Map<String, String> parts;
  private final Map<String, List<String>> query;
  private final JsonBody json;
  private @Nullable JsonNode body;

  RequestCall(Exchange exchange, Sender sender, Map<String, String> parts, JsonBody json) {
    this.exchange = exchange;
    this.sender = sender;
    this.parts = parts;
    this.query = RequestPath.query(exchange.rawQuery());
    this.json = json;
  }

  /// Who sent a request, and what is known about it beside what it says itself. Immutable.
  ///
  /// @param id of the request
  record Sender(String id, Principal principal, Map<String, String> carried) {}

  @Override
  public String id() {
    return sender.id();
  }

  @Override
  public String method() {
    return exchange.method();
  }

  @Override
  public String path() {
    return exchange.rawPath();
  }

  @Override
  public String part(String name) {
    var part = parts.get(name);
    if (part == null) throw new IllegalArgumentException("the route has no part `" + name + "`");
    return part;
  }

  @Override
  public Optional<String> query(String name) {
    return queries(name).stream().findFirst();
  }

  @Override
  public List<String> queries(String name) {
    return query.getOrDefault(name, List.of());
  }

  @Override
  public Optional<String> header(String name) {
    return exchange.headers(name).stream().findFirst();
  }

  @Override
  public String address() {
    return exchange.address();
  }

  @Override
  public JsonNode body() {
    if (body == null) body = read();
    return body;
  }

  private JsonNode read() {
    try {
      return json.read(exchange.body(), announced());
    } catch (IOException gone) {
      throw new UncheckedIOException(gone);
    }
  }

  private long announced() {
    var length = header("content-length");
    try {
      return length.isEmpty() ? -1 : Long.parseLong(length.get().strip());
    } catch (NumberFormatException _) {
      throw new HttpFailure(400, "The header `Content-Length` is no number.");
    }
  }

  @Override
  public Principal principal() {
    return sender.principal();
  }

  @Override
  public Map<String, String> carried() {
    return sender.carried();
  }
}
