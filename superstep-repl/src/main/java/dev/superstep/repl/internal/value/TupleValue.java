package dev.superstep.repl.internal.value;

/// A tuple.
public final class TupleValue extends Value {
  public static final TupleValue EMPTY = new TupleValue(new Value[0]);

  final Value[] items;

  private TupleValue(Value[] items) {
    this.items = items;
  }

  /// A tuple over an array, which it keeps.
  public static TupleValue of(Meter m, Value... items) {
    if (items.length == 0) return EMPTY;
    m.charge(24 + (long) PLACE * items.length);
    return new TupleValue(items);
  }

  public int size() {
    return items.length;
  }

  public Value get(int index) {
    return items[index];
  }

  /// The items; not to be changed.
  public Value[] items() {
    return items;
  }

  @Override
  public String typeName() {
    return "tuple";
  }
}
