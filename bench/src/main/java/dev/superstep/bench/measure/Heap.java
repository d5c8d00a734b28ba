package dev.superstep.bench.measure;

/// What this process holds in memory.
public final class Heap {
  private static final int COLLECTIONS = 4;
  private static final long SETTLE_MILLIS = 80;

  private Heap() {}

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
