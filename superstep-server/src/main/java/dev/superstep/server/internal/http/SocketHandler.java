package dev.superstep.server.internal.http;

/// Answers the messages of a WebSocket. For one message at a time, on virtual threads.
public interface SocketHandler {
  /// Answers a message.
  ///
  /// @param message as the body of a request of the same client
  void answer(Call message) throws Exception;

  /// Called once, when the client is gone or the socket was closed.
  void closed();

  /// Makes the handler of a socket that was opened.
  @FunctionalInterface
  interface Opener {
    SocketHandler open(Socket socket);
  }
}
