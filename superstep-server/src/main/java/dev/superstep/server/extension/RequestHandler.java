package dev.superstep.server.extension;

/// Answers the requests of a route. Runs on a virtual thread of the request, and may block. Safe
/// for many threads.
@FunctionalInterface
public interface RequestHandler {
  /// Answers a request.
  ///
  /// @throws RequestRefused to refuse it, with a status and a reason for the client
  /// @throws Exception what the client is told as status 500, without its text
  ServerResponse handle(ServerRequest request) throws Exception;
}
