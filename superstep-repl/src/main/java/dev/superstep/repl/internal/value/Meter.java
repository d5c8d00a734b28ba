package dev.superstep.repl.internal.value;

import dev.superstep.repl.internal.value.Halt.Cause;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Counts what a session spends, and ends the cell that spends too much. Owned by the thread of the
/// cell; only [#cancel] may come from another.
///
/// Memory is what is reachable. Every allocation adds to a total; when the total has grown by what
/// is left, [Roots] measures what is alive, which costs operations. What expressions hold while
/// they are evaluated cannot be seen, so all that a frame has allocated since its statement began
/// counts as alive.
public final class Meter {
  private static final long CHECK_EVERY = 8_192;
  private static final int SLACK = 32;
  private static final int SLOTS_MAX = 400_000;

  /// Measures what is alive.
  @FunctionalInterface
  public interface Roots {
    /// The bytes that are reachable now; counts operations for the walk.
    long measure(Meter meter);
  }

  /// The limits of a session.
  ///
  /// @param operations for each cell
  /// @param bytes that may be alive
  /// @param depth of calls
  public record Limits(long operations, long bytes, int depth) {}

  private final Limits limits;
  private final Roots roots;
  private final LongSupplier nanos;
  private final List<Object> held = new ArrayList<>();
  private long used;
  private long nextCheck;
  private long total;
  private long nextMeasure;
  private long alive;
  private long deadline = Long.MAX_VALUE;
  private int depth;
  private long slots;
  private boolean measures;
  private volatile boolean cancelled;
  private @Nullable Halt halt;

  public Meter(Limits limits, Roots roots, LongSupplier nanos) {
    this.limits = limits;
    this.roots = roots;
    this.nanos = nanos;
    this.nextMeasure = limits.bytes();
    this.nextCheck = CHECK_EVERY;
  }

  /// Begins a cell: operations and time start anew, memory is measured.
  public void begin(long nanosMost) {
    used = 0;
    nextCheck = 0;
    depth = 0;
    slots = 0;
    halt = null;
    held.clear();
    long now = nanos.getAsLong();
    deadline = now > Long.MAX_VALUE - nanosMost ? Long.MAX_VALUE : now + nanosMost;
    if (total > 0) look();
  }

  // A cell that failed may leave more than is allowed: the next one needs room to put that right.
  private void look() {
    alive = roots.measure(this);
    nextMeasure = total + Math.max(limits.bytes() - alive, limits.bytes() / SLACK);
  }

  /// Gives more time, for a wait that is not the script's.
  public void give(long more) {
    deadline = deadline > Long.MAX_VALUE - more ? Long.MAX_VALUE : deadline + more;
  }

  /// Counts operations.
  public void tick(long operations) {
    used += operations;
    if (used >= nextCheck) check();
  }

  /// Counts the work of a loop over so many small parts, such as the characters of a text.
  public void work(long parts) {
    if (parts >= 64) tick(parts >> 6);
  }

  private void check() {
    if (halt != null) throw halt;
    if (cancelled) throw halt(Cause.CANCELLED, "the cell was cancelled");
    if (used > limits.operations()) {
      used = limits.operations();
      throw halt(
          Cause.OPERATIONS, "the cell took more than " + limits.operations() + " operations");
    }
    if (nanos.getAsLong() - deadline > 0) throw halt(Cause.TIME, "the cell ran out of time");
    nextCheck = Math.min(used + CHECK_EVERY, limits.operations() + 1);
  }

  /// Ends the cell for good: each later count ends it again.
  public Halt halt(Cause cause, String message) {
    return halt(new Halt(cause, message));
  }

  /// Ends the cell for good.
  public Halt halt(Halt end) {
    if (halt == null) halt = end;
    nextCheck = 0;
    return halt;
  }

  /// Ends this cell, or the next one if none runs; any thread may call it.
  public void cancel() {
    cancelled = true;
  }

  /// Takes a cancel back.
  public void resume() {
    cancelled = false;
  }

  /// Returns whether the session was cancelled.
  public boolean isCancelled() {
    return cancelled;
  }

  /// Throws if the cell has ended or should.
  public void poll() {
    check();
  }

  /// Counts memory before it is allocated.
  public void charge(long bytes) {
    total += bytes;
    if (total > nextMeasure) measure(bytes);
  }

  private void measure(long bytes) {
    if (bytes > limits.bytes()) {
      total -= bytes;
      throw tooMuch();
    }
    if (measures) return;
    measures = true;
    try {
      alive = roots.measure(this);
    } finally {
      measures = false;
    }
    // What is nearly full would be measured again and again: the last part is given up for that.
    if (alive > limits.bytes() - limits.bytes() / SLACK) {
      total -= bytes;
      throw tooMuch();
    }
    nextMeasure = total + limits.bytes() - alive;
  }

  private Halt tooMuch() {
    nextMeasure = total;
    return halt(Cause.MEMORY, "the session needs more than " + limits.bytes() + " bytes of memory");
  }

  /// All that was ever allocated, in bytes.
  public long total() {
    return total;
  }

  /// The bytes that were alive when last measured, and those allocated since.
  public long aliveAtMost() {
    return Math.max(0, limits.bytes() - (nextMeasure - total));
  }

  /// Operations of this cell so far.
  public long used() {
    return used;
  }

  /// Goes one call deeper, with so many places for values.
  public void enter(int places) {
    slots += places;
    if (++depth > limits.depth() || slots > SLOTS_MAX) {
      throw halt(Cause.DEPTH, "calls are nested deeper than " + limits.depth());
    }
  }

  /// Comes back from a call.
  public void leave(int places) {
    slots -= places;
    depth--;
  }

  /// The number of calls around.
  public int depth() {
    return depth;
  }

  /// The places for values of the calls around.
  public long slots() {
    return slots;
  }

  /// Goes back to a depth, after an error that was caught there.
  public void restore(int before, long slotsBefore) {
    depth = before;
    slots = slotsBefore;
  }

  /// Keeps something in sight of the measure while a builtin works on it and calls back.
  public void hold(Object working) {
    held.add(working);
  }

  /// Forgets what was held last.
  public void release() {
    held.removeLast();
  }

  /// The things that builtins work on.
  public List<Object> held() {
    return held;
  }

  /// The number of things held, to go back to after an error.
  public int heldCount() {
    return held.size();
  }

  /// Goes back to a number of things held.
  public void releaseTo(int count) {
    while (held.size() > count) held.removeLast();
  }

  public Limits limits() {
    return limits;
  }
}
