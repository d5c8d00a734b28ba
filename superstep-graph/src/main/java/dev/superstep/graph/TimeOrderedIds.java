package dev.superstep.graph;

import java.security.SecureRandom;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/// UUID version 7 with a 12-bit counter, so that ids of one process never go backwards.
final class TimeOrderedIds implements Ids {
  static final TimeOrderedIds SHARED = new TimeOrderedIds();
  private static final int COUNTER_BITS = 12;

  private final SecureRandom random = new SecureRandom();
  private final AtomicLong last = new AtomicLong();

  @Override
  public String next() {
    long now = System.currentTimeMillis() << COUNTER_BITS;
    // Milliseconds and counter in one number: it moves with the clock, or by one if that stands.
    long tick = last.updateAndGet(before -> Math.max(now, before + 1));
    long millis = tick >>> COUNTER_BITS;
    long counter = tick & ((1 << COUNTER_BITS) - 1);
    long most = millis << 16 | 0x7000L | counter;
    long least = random.nextLong() >>> 2 | 0x8000000000000000L;
    return new UUID(most, least).toString();
  }
}
