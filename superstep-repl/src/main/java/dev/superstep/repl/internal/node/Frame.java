package dev.superstep.repl.internal.node;

import dev.superstep.repl.internal.value.Meter;
import dev.superstep.repl.internal.value.None;
import dev.superstep.repl.internal.value.Value;
import org.jspecify.annotations.Nullable;

/// The places of a call that runs.
final class Frame {
  final @Nullable Value[] slots;
  final Machine machine;
  final Meter m;
  @Nullable Frame caller;

  /// The bytes that were allocated when the statement began that runs now.
  long mark;

  /// The bytes that were allocated when the call began.
  long started;

  int depth;
  Value result = None.NONE;

  Frame(@Nullable Value[] slots, Machine machine) {
    this.slots = slots;
    this.machine = machine;
    this.m = machine.m;
  }
}
