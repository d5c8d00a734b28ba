package dev.superstep.server.extension;

import java.util.Optional;

/// A protocol of its own beside that of the server, such as AG-UI or A2A. What holds for all
/// requests holds for its routes, too: authentication, origins, rates, limits of bodies and
/// streams, and logs. Safe for many threads.
///
/// ```java
/// AgentServer.on(checkpointer, documents).serving(desk).extension(AgUi.extension()).start(2024);
/// ```
///
/// It works through [ServerRequest#api], the server's own API in the process, so that everything
/// that it does for a client is authorized as if the client had asked for it there.
public interface ServerExtension extends AutoCloseable {
  /// Adds its routes, before the server starts.
  ///
  /// @throws IllegalArgumentException if the server has one of them already
  void addTo(ServerRoutes routes);

  /// The form in which its [Subscriptions] hear of runs; empty for an extension that has none.
  default Optional<RunNotices> notices() {
    return Optional.empty();
  }

  /// The path that its clients are given, such as `/mcp`.
  default String path() {
    return "/";
  }

  /// Begins to work, before the first request.
  default void start() {}

  /// Ends what goes on in the background, before the server does.
  @Override
  default void close() {}
}
