package dev.superstep.model.wire;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/// The memory that replies under way take together. Safe for many threads.
final class ReplyMemory {
  /// That of the process.
  static final ReplyMemory PROCESS =
      new ReplyMemory(
          Runtime.getRuntime().maxMemory(),
          Long.getLong("superstep.replies.max", Runtime.getRuntime().maxMemory() / 4));

  /// A call may hold as much as this whatever the others hold: only large replies are refused.
  private static final long FREE = 64 * 1024;

  /// Small objects in JSON take about this many times their text.
  private static final int TREE = 32;

  /// Texts up to this size are read without leave.
  private static final int SMALL = 16 * 1024;

  private static final int UNIT = 1024;

  private final long capacity;
  private final int readingUnits;
  private final AtomicLong held = new AtomicLong();
  private final Semaphore reading;

  ReplyMemory(long heap, long capacity) {
    this.capacity = capacity;
    this.readingUnits = Math.clamp(heap / 2 / UNIT, 1, Integer.MAX_VALUE);
    this.reading = new Semaphore(readingUnits, true);
  }

  /// The longest text that may be read as JSON.
  int longest() {
    return Math.clamp((long) readingUnits * UNIT / TREE, SMALL, Integer.MAX_VALUE - 16);
  }

  /// Takes more for a call, if there is so much left.
  ///
  /// @param own what the call holds already
  boolean reserve(long own, long more) {
    if (own + more <= FREE) {
      held.addAndGet(more);
      return true;
    }
    while (true) {
      long now = held.get();
      if (now + more > capacity) return false;
      if (held.compareAndSet(now, now + more)) return true;
    }
  }

  void give(long bytes) {
    held.addAndGet(-bytes);
  }

  /// The memory that all calls hold, in bytes.
  long reserved() {
    return held.get();
  }

  /// Waits until a text may be read as JSON beside those that others read.
  ///
  /// @return what [#leave] is given; negative if the time was over first
  int enter(int length, Duration within) throws InterruptedException {
    if (length <= SMALL) return 0;
    int units = (int) Math.min((long) length * TREE / UNIT, readingUnits);
    return reading.tryAcquire(units, within.toNanos(), TimeUnit.NANOSECONDS) ? units : -1;
  }

  void leave(int units) {
    if (units > 0) reading.release(units);
  }
}
