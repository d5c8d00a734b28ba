package dev.superstep.testkit.model;

import dev.superstep.lock.Mutex;
import java.time.Duration;
import java.util.concurrent.locks.Condition;

/// A number that tests wait for. Safe for many threads.
final class Count {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final String what;
  private final Mutex lock = new Mutex();
  private final Condition news = lock.newCondition();
  private int now;
  private int most;

  /// @param what is counted, for who waits in vain
  Count(String what) {
    this.what = what;
  }

  void add(int more) {
    try (var _ = lock.hold()) {
      now += more;
      most = Math.max(most, now);
      news.signalAll();
    }
  }

  int now() {
    try (var _ = lock.hold()) {
      return now;
    }
  }

  int most() {
    try (var _ = lock.hold()) {
      return most;
    }
  }

  void await(int least) throws InterruptedException {
    long left = PATIENCE.toNanos();
    try (var _ = lock.holdInterruptibly()) {
      while (now < least) {
        if (left <= 0) {
          throw new AssertionError("%d %s were waited for, %d came".formatted(least, what, now));
        }
        left = news.awaitNanos(left);
      }
    }
  }
}
