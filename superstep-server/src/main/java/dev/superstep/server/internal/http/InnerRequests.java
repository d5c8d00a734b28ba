package dev.superstep.server.internal.http;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// Requests that a part of the server makes to another one in the process, for a client: with its
/// principal, and past what was checked already when its own request came. Safe for many threads.
public final class InnerRequests {
  private final Routes routes;

  public InnerRequests(Routes routes) {
    this.routes = routes;
  }

  /// Asks for an answer.
  ///
  /// @param outer the request of the client
  /// @param path with its query, encoded
  /// @param headers that the part reads, by their names in lower case
  /// @throws HttpFailure if it is refused
  public Reply ask(
      Call outer, String method, String path, JsonNode body, Map<String, String> headers) {
    int mark = path.indexOf('?');
    var place = mark < 0 ? path : path.substring(0, mark);
    var query = RequestPath.query(mark < 0 ? "" : path.substring(mark + 1));
    var match =
        routes
            .find(method, RequestPath.segments(place))
            .orElseThrow(() -> new HttpFailure(404, "There is nothing under " + place + "."));
    var target = new Target(method, place, query, headers, match.parts());
    try {
      return match.route().handler().handle(new InnerCall(outer, target, body));
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new HttpFailure(503, "The server is stopping.");
    } catch (Exception failed) {
      if (failed instanceof HttpFailure refused) throw refused;
      var known = EngineFailures.of(failed);
      if (known.isPresent()) throw known.get();
      if (failed instanceof RuntimeException unchecked) throw unchecked;
      throw new IllegalStateException(failed);
    }
  }

  private record Target(
      String method,
      String path,
      Map<String, List<String>> query,
      Map<String, String> headers,
      Map<String, String> parts) {}

  private record InnerCall(Call outer, Target target, JsonNode body) implements Call {
    @Override
    public String id() {
      return outer.id();
    }

    @Override
    public String method() {
      return target.method();
    }

    @Override
    public String path() {
      return target.path();
    }

    @Override
    public String part(String name) {
      var part = target.parts().get(name);
      if (part == null) throw new IllegalArgumentException("the route has no part `" + name + "`");
      return part;
    }

    @Override
    public Optional<String> query(String name) {
      return queries(name).stream().findFirst();
    }

    @Override
    public List<String> queries(String name) {
      return target.query().getOrDefault(name, List.of());
    }

    @Override
    public Optional<String> header(String name) {
      return Optional.ofNullable(target.headers().get(name.toLowerCase(java.util.Locale.ROOT)));
    }

    @Override
    public String address() {
      return outer.address();
    }

    @Override
    public dev.superstep.server.security.Principal principal() {
      return outer.principal();
    }

    @Override
    public Map<String, String> carried() {
      return outer.carried();
    }
  }
}
