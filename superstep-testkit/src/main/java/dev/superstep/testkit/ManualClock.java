package dev.superstep.testkit;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;

/// A clock that stands still until a test moves it. Safe for many threads.
///
/// ```java
/// var clock = ManualClock.at("2026-01-02T03:04:05Z");
/// var options = RunOptions.defaults().clock(clock);
/// clock.advance(Duration.ofDays(3));
/// ```
public final class ManualClock implements InstantSource {
  private final AtomicReference<Instant> now;

  private ManualClock(Instant start) {
    this.now = new AtomicReference<>(start);
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
    return now.get();
  }

  /// Moves the clock on.
  ///
  /// @return the new time
  public Instant advance(Duration by) {
    if (by.isNegative()) throw new IllegalArgumentException("by must not be negative, was " + by);
    return now.updateAndGet(time -> time.plus(by));
  }
}
