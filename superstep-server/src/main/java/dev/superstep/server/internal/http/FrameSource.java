package dev.superstep.server.internal.http;

import java.time.Duration;
import java.util.List;

/// The events of a stream that is being sent to a client. For one thread.
public interface FrameSource extends AutoCloseable {
  /// Waits for the next events.
  ///
  /// @return those that are there, at least one; or none if the time was over first
  List<Frame> next(Duration most) throws InterruptedException;

  /// Returns whether no event will come any more.
  boolean isOver();

  /// Called once, when the stream has ended or the client is gone.
  ///
  /// @param isComplete whether everything was sent
  void close(boolean isComplete);

  @Override
  default void close() {
    close(isOver());
  }
}
