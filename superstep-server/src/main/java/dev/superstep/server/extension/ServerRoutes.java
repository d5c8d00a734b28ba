package dev.superstep.server.extension;

import dev.superstep.server.graph.ServedGraph;
import java.util.List;

/// The table of routes of a server that is about to start. One thread at a time.
public interface ServerRoutes {
  /// Adds a route for clients that show who they are.
  ///
  /// @param method such as `POST`; `HEAD` and `OPTIONS` are answered by the server
  /// @param template a path such as `/agents/{agent}`; a last part `{rest*}` takes the rest of it
  /// @throws IllegalArgumentException if there is one with this method and path
  ServerRoutes on(String method, String template, RequestHandler handler);

  /// Adds a route for everybody, such as a description of the service. Its requests have no
  /// [ServerRequest#api].
  ///
  /// @throws IllegalArgumentException if there is one with this method and path
  ServerRoutes open(String method, String template, RequestHandler handler);

  /// The graphs that the server serves, in the order in which they were given.
  List<ServedGraph> graphs();
}
