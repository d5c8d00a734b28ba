package dev.superstep.bench.measure;

/// When each step of a run began. One thread at a time.
public final class Stamps {
  private static final double NANOS_PER_MICRO = 1_000;

  private final long[] nanos;
  private int count;

  /// Room for so many steps.
  public Stamps(int steps) {
    nanos = new long[steps];
  }

  /// A step begins.
  ///
  /// @return its number, from 0
  public int next() {
    nanos[count] = System.nanoTime();
    return count++;
  }

  /// Records each step's time, and how much longer the last tenth took than the first: 1 is flat.
  public void record(Recorder out, String variant) {
    for (int i = 1; i < count; i++) {
      out.add(variant, "step_us", (nanos[i] - nanos[i - 1]) / NANOS_PER_MICRO);
    }
    int tenth = Math.max(2, count / 10);
    out.add(variant, "growth", (double) elapsed(count - tenth, count) / elapsed(0, tenth));
  }

  private long elapsed(int from, int to) {
    return nanos[to - 1] - nanos[from];
  }
}
