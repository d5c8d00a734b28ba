package dev.superstep.spring;

import dev.superstep.lock.Mutex;
import java.util.concurrent.locks.Condition;

/// The number of events that a subscriber has asked for and not got. Safe for many threads.
final class Demand {
  private final Mutex lock = new Mutex();
  private final Condition more = lock.newCondition();
  private long open;

  /// Adds a request; [Long#MAX_VALUE] stands for all.
  void add(long number) {
    try (var _ = lock.hold()) {
      open = open > Long.MAX_VALUE - number ? Long.MAX_VALUE : open + number;
      more.signalAll();
    }
  }

  /// Takes one, and waits for it.
  void take() throws InterruptedException {
    try (var _ = lock.holdInterruptibly()) {
      while (open == 0) more.await();
      count();
    }
  }

  /// Takes one if there is one.
  boolean takeNow() {
    try (var _ = lock.hold()) {
      if (open == 0) return false;
      count();
      return true;
    }
  }

  private void count() {
    if (open < Long.MAX_VALUE) open--;
  }

  @Override
  public String toString() {
    try (var _ = lock.hold()) {
      return "Demand[" + open + "]";
    }
  }
}
