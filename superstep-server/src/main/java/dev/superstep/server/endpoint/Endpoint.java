package dev.superstep.server.endpoint;

/// A further protocol that a server speaks under a path of its own, beside its API, with the same
/// checks of origins, senders, rates and sizes. Safe for many threads.
public interface Endpoint extends AutoCloseable {
  /// Where it is, such as `/mcp`.
  String path();

  /// Answers a GET, a POST or a DELETE, on a virtual thread of the request; it may block.
  ///
  /// @throws EndpointRefused if the client gets a refusal
  EndpointReply handle(EndpointCall call) throws Exception;

  /// Begins to work, before the first request.
  default void start() {}

  /// Ends what goes on in the background.
  @Override
  default void close() {}
}
