package dev.superstep.repl.internal.value;

/// `None`.
public final class None extends Value {
  public static final None NONE = new None();

  private None() {}

  @Override
  public String typeName() {
    return "NoneType";
  }
}
