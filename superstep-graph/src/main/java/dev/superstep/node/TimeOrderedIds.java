package dev.superstep.node;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/// UUID version 7 with a 12-bit counter, so that ids of one process never go backwards. They are
/// unique, not secret: the rest of an id is a hash of its time and of a number that the process
/// drew when it began.
final class TimeOrderedIds implements Ids {
  private static final int COUNTER_BITS = 12;
  private static final int VERSION = 7;
  // No clock that is looked after is further ahead; an id that is says nothing.
  private static final long AHEAD_MAX_MILLIS = 24 * 60 * 60 * 1_000L;
  private static final Path KERNEL = Path.of("/dev/urandom");

  static final TimeOrderedIds SHARED = new TimeOrderedIds(drawn());

  private final long process;
  private final AtomicLong last = new AtomicLong();

  TimeOrderedIds(long process) {
    this.process = process;
  }

  @Override
  public String next() {
    long now = System.currentTimeMillis() << COUNTER_BITS;
    // Milliseconds and counter in one number: it moves with the clock, or by one if the clock has
    // not moved.
    long tick = last.updateAndGet(before -> Math.max(now, before + 1));
    long millis = tick >>> COUNTER_BITS;
    long counter = tick & ((1 << COUNTER_BITS) - 1);
    long most = millis << 16 | 0x7000L | counter;
    long least = mixed(process + mixed(tick)) >>> 2 | 0x8000000000000000L;
    return new UUID(most, least).toString();
  }

  @Override
  public void seen(String id) {
    var known = uuid(id);
    if (known.isEmpty() || known.get().version() != VERSION) return;
    long most = known.get().getMostSignificantBits();
    long millis = most >>> 16;
    if (millis > System.currentTimeMillis() + AHEAD_MAX_MILLIS) return;
    long tick = millis << COUNTER_BITS | (most & ((1 << COUNTER_BITS) - 1));
    last.accumulateAndGet(tick, Math::max);
  }

  private static Optional<UUID> uuid(String id) {
    try {
      return Optional.of(UUID.fromString(id));
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }

  /// Java's own way to the kernel's numbers goes through its security providers, 20 ms of a start.
  private static long drawn() {
    try (var kernel = Files.newInputStream(KERNEL)) {
      var bytes = kernel.readNBytes(Long.BYTES);
      if (bytes.length == Long.BYTES) return ByteBuffer.wrap(bytes).getLong();
    } catch (IOException | UnsupportedOperationException _) {
      // Not every system has it.
    }
    return new SecureRandom().nextLong();
  }

  /// A bijection whose bits each depend on all of those given (the finalizer of MurmurHash3).
  private static long mixed(long bits) {
    long mixed = (bits ^ bits >>> 33) * 0xFF51AFD7ED558CCDL;
    mixed = (mixed ^ mixed >>> 33) * 0xC4CEB9FE1A85EC53L;
    return mixed ^ mixed >>> 33;
  }
}
