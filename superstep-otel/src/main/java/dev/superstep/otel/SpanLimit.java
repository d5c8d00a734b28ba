package dev.superstep.otel;

import java.util.concurrent.atomic.AtomicInteger;

/// A limit on open spans. Safe for many threads.
final class SpanLimit {
  private final int most;
  private final AtomicInteger taken = new AtomicInteger();

  SpanLimit(int most) {
    this.most = most;
  }

  /// Takes a place, if one is free.
  boolean take() {
    int now = taken.get();
    while (now < most) {
      if (taken.compareAndSet(now, now + 1)) return true;
      now = taken.get();
    }
    return false;
  }

  /// Takes a place also if none is free: each run has a span.
  void force() {
    taken.incrementAndGet();
  }

  void give() {
    taken.decrementAndGet();
  }

  boolean isFull() {
    return taken.get() >= most;
  }

  int taken() {
    return taken.get();
  }
}
