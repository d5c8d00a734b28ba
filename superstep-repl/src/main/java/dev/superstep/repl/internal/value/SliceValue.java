package dev.superstep.repl.internal.value;

/// The `a:b:c` between brackets; `None` for what is left out. No variable can hold one.
public final class SliceValue extends Value {
  private final Value from;
  private final Value to;
  private final Value step;

  public SliceValue(Value from, Value to, Value step) {
    this.from = from;
    this.to = to;
    this.step = step;
  }

  /// Positions in a sequence: `count` of them, from `start`, by `step`.
  public record Places(long start, long stop, long step, long count) {}

  /// The positions that it means in a sequence of a length, as Python counts them.
  public Places in(long length) {
    long by = step instanceof None ? 1 : whole(step);
    if (by == 0) throw Raise.value("slice step cannot be zero");
    long least = by > 0 ? 0 : -1;
    long most = by > 0 ? length : length - 1;
    long start = from instanceof None ? (by > 0 ? least : most) : clip(whole(from), length, by);
    long stop = to instanceof None ? (by > 0 ? most : least) : clip(whole(to), length, by);
    long count = 0;
    if (by > 0 && start < stop) count = (stop - start - 1) / by + 1;
    if (by < 0 && stop < start) count = (start - stop - 1) / -Math.max(by, -Long.MAX_VALUE) + 1;
    return new Places(start, stop, by, count);
  }

  private static long clip(long index, long length, long by) {
    long least = by > 0 ? 0 : -1;
    long most = by > 0 ? length : length - 1;
    if (index < 0) return Math.max(least, index + length);
    return Math.min(index, most);
  }

  private static long whole(Value value) {
    if (value instanceof Int i)
      return Math.clamp(i.value(), -Long.MAX_VALUE / 4, Long.MAX_VALUE / 4);
    if (value instanceof Bool b) return b.value() ? 1 : 0;
    if (value instanceof BigInt b) return b.value().signum() * (Long.MAX_VALUE / 4);
    throw Raise.type("slice indices must be integers or None");
  }

  /// Returns whether the step is left out or 1.
  public boolean isPlain() {
    return step instanceof None || (step instanceof Int i && i.value() == 1);
  }

  @Override
  public String typeName() {
    return "slice";
  }
}
