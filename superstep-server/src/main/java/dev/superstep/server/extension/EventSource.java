package dev.superstep.server.extension;

import java.time.Duration;
import java.util.List;

/// The events of a stream to a client, one after the other. For one thread.
public interface EventSource {
  /// Waits for the next events.
  ///
  /// @return those that are there, at least one; or none if the time was over first
  List<ServerEvent> next(Duration most) throws InterruptedException;

  /// Returns whether no event will come any more.
  boolean isOver();

  /// Called once, when the stream has ended or the client is gone.
  ///
  /// @param isComplete whether everything was sent
  void close(boolean isComplete);
}
