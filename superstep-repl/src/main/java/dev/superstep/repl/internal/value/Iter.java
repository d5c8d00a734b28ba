package dev.superstep.repl.internal.value;

import org.jspecify.annotations.Nullable;

/// An iterator. Only the interpreter's own packages make kinds of it.
public abstract non-sealed class Iter extends Value {
  /// The next value, or `null` at the end.
  public abstract @Nullable Value next(Meter m);

  /// The values that it keeps reachable.
  public Object[] keeps() {
    return new Object[0];
  }

  /// Returns whether getting the next value may run code of the script.
  public boolean callsBack() {
    return false;
  }

  @Override
  public String typeName() {
    return "iterator";
  }
}
