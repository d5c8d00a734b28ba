package dev.superstep.repl.internal.value;

/// The numbers from one up to another, by steps.
public final class RangeValue extends Value {
  private final long start;
  private final long stop;
  private final long step;
  private final long size;

  public RangeValue(long start, long stop, long step) {
    this.start = start;
    this.stop = stop;
    this.step = step;
    this.size = size(start, stop, step);
  }

  private static long size(long start, long stop, long step) {
    if (step > 0 ? start >= stop : start <= stop) return 0;
    long distance = step > 0 ? stop - start : start - stop;
    if (distance < 0) throw Raise.overflow("the range is too long");
    long by = step == Long.MIN_VALUE ? Long.MAX_VALUE : Math.abs(step);
    return (distance - 1) / by + 1;
  }

  public long start() {
    return start;
  }

  public long stop() {
    return stop;
  }

  public long step() {
    return step;
  }

  public long size() {
    return size;
  }

  public long get(long index) {
    return start + index * step;
  }

  @Override
  public String typeName() {
    return "range";
  }
}
