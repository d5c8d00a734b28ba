package dev.superstep.testkit.model;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// A number that tests wait for. Safe for many threads.
final class Count {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final String what;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition news = lock.newCondition();
  private int now;
  private int most;

  /// @param what is counted, for who waits in vain
  Count(String what) {
    this.what = what;
  }

  void add(int more) {
    lock.lock();
    try {
      now += more;
      most = Math.max(most, now);
      news.signalAll();
    } finally {
      lock.unlock();
    }
  }

  int now() {
    lock.lock();
    try {
      return now;
    } finally {
      lock.unlock();
    }
  }

  int most() {
    lock.lock();
    try {
      return most;
    } finally {
      lock.unlock();
    }
  }

  void await(int least) throws InterruptedException {
    long left = PATIENCE.toNanos();
    lock.lockInterruptibly();
    try {
      while (now < least) {
        if (left <= 0) {
          throw new AssertionError("%d %s were waited for, %d came".formatted(least, what, now));
        }
        left = news.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }
}
