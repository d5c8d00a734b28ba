package dev.superstep.server.internal.http;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// The table of what a server answers: method and path to a handler. Filled before it is used; then
/// safe for many threads.
public final class Routes {
  private final List<Route> routes = new ArrayList<>();

  /// Answers requests. Runs on a virtual thread of the request, and may block.
  @FunctionalInterface
  public interface Handler {
    Reply handle(Call call) throws Exception;
  }

  /// A line of the table.
  ///
  /// @param template a path whose parts in braces are filled by the request; a last part `{name*}`
  ///   takes the rest of the path
  /// @param isOpen whether it is answered to those, too, who do not show who they are
  public record Route(String method, String template, boolean isOpen, Handler handler) {}

  /// A line that fits a request.
  ///
  /// @param parts the parts in braces, as the client wrote them, decoded
  public record Match(Route route, Map<String, String> parts) {}

  /// Adds a line; the first one that fits counts.
  public Routes on(String method, String template, Handler handler) {
    routes.add(new Route(method, template, false, handler));
    return this;
  }

  /// Adds a line for everybody, also those who do not show who they are: pages and signs of life.
  public Routes open(String method, String template, Handler handler) {
    routes.add(new Route(method, template, true, handler));
    return this;
  }

  /// The lines in the order in which they were added.
  public List<Route> all() {
    return List.copyOf(routes);
  }

  /// Finds the line for a request.
  ///
  /// @param segments of the path, decoded
  public Optional<Match> find(String method, List<String> segments) {
    for (var route : routes) {
      if (!route.method().equals(method)) continue;
      var parts = parts(route.template(), segments);
      if (parts.isPresent()) return Optional.of(new Match(route, parts.get()));
    }
    return Optional.empty();
  }

  /// The methods that a path has, for those who used another one.
  public Set<String> methods(List<String> segments) {
    var methods = new TreeSet<String>();
    for (var route : routes) {
      if (parts(route.template(), segments).isPresent()) methods.add(route.method());
    }
    return methods;
  }

  private static Optional<Map<String, String>> parts(String template, List<String> segments) {
    var wanted = template.substring(1).split("/", -1);
    boolean hasRest = wanted[wanted.length - 1].endsWith("*}");
    if (hasRest ? segments.size() < wanted.length : segments.size() != wanted.length) {
      return Optional.empty();
    }
    var parts = new HashMap<String, String>();
    for (int i = 0; i < wanted.length; i++) {
      var want = wanted[i];
      if (want.endsWith("*}")) {
        var rest = String.join("/", segments.subList(i, segments.size()));
        parts.put(want.substring(1, want.length() - 2), rest);
      } else if (want.startsWith("{")) {
        parts.put(want.substring(1, want.length() - 1), segments.get(i));
      } else if (!want.equals(segments.get(i))) {
        return Optional.empty();
      }
    }
    return Optional.of(parts);
  }
}
