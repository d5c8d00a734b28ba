package dev.superstep.server.endpoint;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// The events that a client is sent. For the thread of its request.
public interface EventSource extends AutoCloseable {
  /// An event.
  ///
  /// @param id its place, by which a client asks for what follows
  /// @param data in one line; may be empty
  /// @param retry after which the client should come again if the stream ends, if it is told
  record ServerEvent(String id, String data, Optional<Duration> retry) {}

  /// Waits for the next events.
  ///
  /// @return those that are there, or none if the time was over first
  List<ServerEvent> next(Duration most) throws InterruptedException;

  /// Returns whether no event will come any more.
  boolean isOver();

  /// Called once, when the stream has ended or the client is gone.
  @Override
  void close();
}
