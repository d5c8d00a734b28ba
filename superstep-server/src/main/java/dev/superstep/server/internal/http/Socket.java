package dev.superstep.server.internal.http;

import java.io.IOException;

/// A WebSocket to a client. Safe for many threads; each message is sent whole.
public interface Socket {
  /// Sends a message, and waits until the client has taken it.
  ///
  /// @throws IOException if the client is gone, or takes nothing for too long
  void send(String message) throws IOException, InterruptedException;

  /// Sends a sign of life, which the client answers by itself.
  void ping() throws IOException, InterruptedException;

  /// Closes it.
  ///
  /// @param code 1000 for a normal end, or 4000 and a status of HTTP
  void close(int code, String reason);
}
