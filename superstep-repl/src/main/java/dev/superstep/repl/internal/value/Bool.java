package dev.superstep.repl.internal.value;

/// `True` or `False`; counts as 1 or 0.
public final class Bool extends Value {
  public static final Bool TRUE = new Bool(true);
  public static final Bool FALSE = new Bool(false);

  private final boolean value;

  private Bool(boolean value) {
    this.value = value;
  }

  public static Bool of(boolean value) {
    return value ? TRUE : FALSE;
  }

  public boolean value() {
    return value;
  }

  @Override
  public String typeName() {
    return "bool";
  }
}
