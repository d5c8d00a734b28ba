package dev.superstep.otel;

import java.util.concurrent.atomic.AtomicInteger;

/// A limit on open spans. Safe for many threads.
final class SpanLimit {
  private final int most;
  private final AtomicInteger used = new AtomicInteger();

  SpanLimit(int most) {
    this.most = most;
  }

  /// Takes a place, if one is free.
  boolean tryAcquire() {
    int now = used.get();
    while (now < most) {
      if (used.compareAndSet(now, now + 1)) return true;
      now = used.get();
    }
    return false;
  }

  /// Takes a place also if none is free: each run has a span.
  void force() {
    used.incrementAndGet();
  }

  void give() {
    used.decrementAndGet();
  }

  boolean isFull() {
    return used.get() >= most;
  }

  int used() {
    return used.get();
  }
}
