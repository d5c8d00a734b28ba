package dev.superstep.node;

import java.time.Duration;

/// Waits before a node is tried again, and until a [Rate] admits a task. In tests, use one that
/// does not wait. Safe for many threads.
@FunctionalInterface
public interface Sleeper {
  /// Returns when the time is over.
  ///
  /// @throws InterruptedException if the run is cancelled
  void sleep(Duration time) throws InterruptedException;

  /// Waits by the system's clock.
  static Sleeper system() {
    return Thread::sleep;
  }
}
