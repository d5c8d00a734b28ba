package dev.superstep.server.internal.schedule;

import dev.superstep.json.Json;
import dev.superstep.server.internal.http.Call;
import dev.superstep.server.internal.http.Reply;
import dev.superstep.server.internal.http.Routes;
import dev.superstep.server.internal.wire.Trees;
import dev.superstep.server.security.Principal;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// A request that goes through a table of routes without a network.
record DirectCall(
    String method, String path, Map<String, String> parts, JsonNode body, Principal principal)
    implements Call {
  static Reply send(Routes routes, Principal who, String line, String body) throws Exception {
    var method = line.substring(0, line.indexOf(' '));
    var path = line.substring(line.indexOf(' ') + 1);
    var match = routes.find(method, Arrays.asList(path.substring(1).split("/"))).orElseThrow();
    var tree = body.isEmpty() ? JsonMapper.shared().missingNode() : Trees.of(Json.parse(body));
    return match.route().handler().handle(new DirectCall(method, path, match.parts(), tree, who));
  }

  @Override
  public String id() {
    return "request-1";
  }

  @Override
  public String part(String name) {
    return Objects.requireNonNull(parts.get(name));
  }

  @Override
  public Optional<String> query(String name) {
    return Optional.empty();
  }

  @Override
  public List<String> queries(String name) {
    return List.of();
  }

  @Override
  public Optional<String> header(String name) {
    return Optional.empty();
  }

  @Override
  public String address() {
    return "127.0.0.1";
  }
}
