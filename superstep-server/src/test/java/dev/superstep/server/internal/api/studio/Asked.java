package dev.superstep.server.internal.api.studio;

import dev.superstep.server.internal.http.Call;
import dev.superstep.server.internal.http.Reply;
import dev.superstep.server.internal.http.Routes;
import dev.superstep.server.security.Principal;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
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
    return send(routes, "GET", path, pairs(query), Map.of(), "null");
  }

  static Reply live(Routes routes, String path, String... headers) throws Exception {
    return send(routes, "GET", path, Map.of(), pairs(headers), "null");
  }

  static Reply post(Routes routes, String path, String body) throws Exception {
    return send(routes, "POST", path, Map.of(), Map.of(), body);
  }

  static Reply send(
      Routes routes,
      String method,
      String path,
      Map<String, String> query,
      Map<String, String> headers,
      String body)
      throws Exception {
    var segments = Arrays.asList(path.substring(1).split("/", -1));
    var match = routes.find(method, segments).orElseThrow();
    var tree = JsonMapper.shared().readTree(body);
    return match
        .route()
        .handler()
        .handle(new Asked(method, path, match.parts(), query, headers, tree));
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
    return parts.get(name);
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
