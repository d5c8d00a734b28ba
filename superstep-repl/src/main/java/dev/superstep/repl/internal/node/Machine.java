package dev.superstep.repl.internal.node;

import dev.superstep.repl.internal.value.Footprint;
import dev.superstep.repl.internal.value.Halt;
import dev.superstep.repl.internal.value.Meter;
import dev.superstep.repl.internal.value.Raise;
import dev.superstep.repl.internal.value.Value;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The calls that run in a session, innermost first. Owned by the thread of the cell.
public final class Machine {
  private final Supplier<List<? extends Value>> globals;
  final Meter m;
  @Nullable Frame current;

  /// @param globals the variables of the session, which are alive between cells
  public Machine(Meter.Limits limits, LongSupplier nanos, Supplier<List<? extends Value>> globals) {
    this.globals = globals;
    this.m = new Meter(limits, this::measure, nanos);
  }

  public Meter meter() {
    return m;
  }

  /// Forgets the calls of a cell that ended.
  public void reset() {
    current = null;
  }

  /// Measures what is alive: all that can be reached from variables, and what each call may hold in
  /// the middle of a statement, which is at most what it allocated since that began.
  private long measure(Meter meter) {
    var walk = new Footprint(meter);
    for (var global : globals.get()) walk.add(global);
    for (var thing : meter.held()) walk.add(thing);
    long inside = 0;
    long until = meter.total();
    for (var frame = current; frame != null; frame = frame.caller) {
      walk.add(frame.slots);
      inside += until - frame.mark;
      until = frame.started;
    }
    return walk.bytes() + inside;
  }

  /// Runs a call.
  int enter(Frame frame, Block body, int places) {
    frame.caller = current;
    long now = m.total();
    frame.started = now;
    frame.mark = now;
    current = frame;
    m.enter(places);
    frame.depth = m.depth();
    m.tick(2);
    int how = body.exec(frame);
    current = frame.caller;
    m.leave(places);
    return how;
  }

  /// Goes back to a call that catches an error.
  void back(Frame frame, long slots, int held) {
    current = frame;
    m.restore(frame.depth, slots);
    m.releaseTo(held);
  }

  /// Runs the code of a cell.
  public Value run(CellCode code) {
    var frame = new Frame(new Value[code.slots()], this);
    Cells.fill(frame.slots, code.shared());
    try {
      enter(frame, code.body(), code.slots());
      return frame.result;
    } catch (StackOverflowError _) {
      throw m.halt(Halt.Cause.DEPTH, "calls are nested too deep for the stack");
    } catch (OutOfMemoryError _) {
      throw m.halt(Halt.Cause.MEMORY, "the process has no memory left for the session");
    } finally {
      current = null;
    }
  }

  /// Marks the place that an error passes, once for each call.
  static void passes(Raise error, Frame frame, Step step) {
    error.passes(frame, step.place);
  }
}
