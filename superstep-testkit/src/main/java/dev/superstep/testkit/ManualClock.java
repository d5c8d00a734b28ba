package dev.superstep.testkit;

import dev.superstep.lock.Mutex;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.locks.Condition;

/// A clock that stands still until a test moves it. Safe for many threads.
///
/// ```java
/// var clock = ManualClock.at("2026-01-02T03:04:05Z");
/// var options = RunOptions.defaults().clock(clock);
/// clock.advance(Duration.ofDays(3));
/// ```
public final class ManualClock implements InstantSource {
  private final Mutex lock = new Mutex();
  private final Condition moved = lock.newCondition();
  private volatile Instant now;

  private ManualClock(Instant start) {
    this.now = start;
  }

  /// A clock that stands at this time.
  public static ManualClock at(Instant start) {
    return new ManualClock(start);
  }

  /// A clock that stands at this time, such as `2026-01-02T03:04:05Z`.
  public static ManualClock at(String start) {
    return at(Instant.parse(start));
  }

  @Override
  public Instant instant() {
    return now;
  }

  /// Moves the clock on.
  ///
  /// @return the new time
  public Instant advance(Duration by) {
    if (by.isNegative()) throw new IllegalArgumentException("by must not be negative, was " + by);
    try (var _ = lock.hold()) {
      now = now.plus(by);
      moved.signalAll();
      return now;
    }
  }

  /// Waits until the test has moved the clock to this time: for doubles that take time.
  public void await(Instant time) throws InterruptedException {
    try (var _ = lock.holdInterruptibly()) {
      while (now.isBefore(time)) moved.await();
    }
  }
}
