package dev.superstep.server.internal.http;

import java.time.Duration;
import java.util.function.Function;

/// A connection that becomes a WebSocket. Immutable.
///
/// @param bytesMax of a message
/// @param stall how long a client may take nothing of what it is sent
/// @param opened makes what hears the messages
record SocketUpgrade(int bytesMax, Duration stall, Function<Socket, Listener> opened) {
  /// Hears what happens to a socket.
  interface Listener {
    /// A message. The next one comes when this has returned.
    void message(String text);

    /// The end, however it came.
    void closed();
  }
}
