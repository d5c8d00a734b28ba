package dev.superstep.repl.internal.name;

/// A variable of a function or comprehension, and its place in the frame.
public final class Variable {
  private final String name;
  private final int slot;
  private boolean isShared;

  Variable(String name, int slot) {
    this.name = name;
    this.slot = slot;
  }

  public String name() {
    return name;
  }

  public int slot() {
    return slot;
  }

  /// Returns whether a function inside uses it too, so that its place holds a cell.
  public boolean isShared() {
    return isShared;
  }

  void share() {
    isShared = true;
  }
}
