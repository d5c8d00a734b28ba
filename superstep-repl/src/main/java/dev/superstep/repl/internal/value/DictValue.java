package dev.superstep.repl.internal.value;

/// A map in the order of insertion.
public final class DictValue extends Value {
  private final Table table;

  public DictValue(Meter m) {
    table = new Table(m, true);
  }

  public Table table() {
    return table;
  }

  @Override
  public String typeName() {
    return "dict";
  }
}
