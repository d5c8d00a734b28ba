package dev.superstep.server.internal.api.studio;

import dev.superstep.server.internal.http.Call;
import dev.superstep.server.internal.http.Reply;
import dev.superstep.server.internal.http.Routes;
import dev.superstep.server.security.Principal;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// A request that goes through a table of routes without a network.
record Asked(
    String method,
    String path,
    Map<String, String> parts,
    Map<String, String> query,
    Map<String, String> headers,
    JsonNode body)
    implements Call {
  static Reply get(Routes routes, String path, String... query) throws Exception {
    return new Asked("GET", path, Map.of(), pairs(query), Map.of(), json("null")).send(routes);
  }

  static Reply live(Routes routes, String path, String... headers) throws Exception {
    return new Asked("GET", path, Map.of(), Map.of(), pairs(headers), json("null")).send(routes);
  }

  static Reply post(Routes routes, String path, String body) throws Exception {
    return new Asked("POST", path, Map.of(), Map.of(), Map.of(), json(body)).send(routes);
  }

  private static JsonNode json(String text) {
    return JsonMapper.shared().readTree(text);
  }

  private Reply send(Routes routes) throws Exception {
    var segments = Arrays.asList(path.substring(1).split("/", -1));
    var match = routes.find(method, segments).orElseThrow();
    var found = new Asked(method, path, match.parts(), query, headers, body);
    return match.route().handler().handle(found);
  }

  private static Map<String, String> pairs(String... all) {
    var pairs = new java.util.TreeMap<String, String>(String.CASE_INSENSITIVE_ORDER);
    for (int i = 0; i < all.length; i += 2) pairs.put(all[i], all[i + 1]);
    return pairs;
  }

  /// The JSON of an answer.
  static JsonNode json(Reply reply) {
    return ((Reply.Value) reply).body();
  }

  @Override
  public String part(String name) {
    return Objects.requireNonNull(parts.get(name), name);
  }

  @Override
  public Optional<String> query(String name) {
    return Optional.ofNullable(query.get(name));
  }

  @Override
  public List<String> queries(String name) {
    return query(name).stream().toList();
  }

  @Override
  public Optional<String> header(String name) {
    return Optional.ofNullable(headers.get(name));
  }

  @Override
  public String id() {
    return "request-1";
  }

  @Override
  public String address() {
    return "127.0.0.1";
  }

  @Override
  public Principal principal() {
    return Principal.ANONYMOUS;
  }
}
