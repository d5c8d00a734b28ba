package dev.superstep.bench.measure;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/// What this process holds in memory, and what it takes.
public final class Heap {
  private static final int COLLECTIONS = 4;
  private static final long SETTLE_MILLIS = 80;

  private static final long KIB = 1_024;

  private Heap() {}

  /// The bytes that all threads of this process have allocated since it began.
  public static long allocatedBytes() {
    return ManagementFactory.getThreadMXBean() instanceof com.sun.management.ThreadMXBean threads
        ? threads.getTotalThreadAllocatedBytes()
        : 0;
  }

  /// The most memory that this process ever had, heap and all else; 0 where that cannot be told.
  public static long peakBytes() throws IOException {
    var status = Path.of("/proc/self/status");
    if (!Files.exists(status)) return 0;
    try (var lines = Files.lines(status)) {
      return lines
          .filter(line -> line.startsWith("VmHWM:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) * KIB)
          .findFirst()
          .orElse(0);
    }
  }

  /// The bytes of what is still in use: the least of several looks after a collection.
  public static long used() throws InterruptedException {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < COLLECTIONS; i++) {
      System.gc();
      Thread.sleep(SETTLE_MILLIS);
      var runtime = Runtime.getRuntime();
      least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
    }
    return least;
  }
}
