package dev.superstep.repl.internal.value;

/// A set in the order of insertion.
public final class SetValue extends Value {
  private final Table table;

  public SetValue(Meter m) {
    table = new Table(m, false);
  }

  public Table table() {
    return table;
  }

  @Override
  public String typeName() {
    return "set";
  }
}
