package dev.superstep.repl.internal.value;

/// The keys, values or items of a map, as they are at the time of looking.
public final class ViewValue extends Value {
  private final DictValue map;
  private final Iterate.View side;

  public ViewValue(DictValue map, Iterate.View side) {
    this.map = map;
    this.side = side;
  }

  public DictValue map() {
    return map;
  }

  public Iterate.View side() {
    return side;
  }

  /// The keys as a set, for the operators of sets.
  public SetValue set(Meter m) {
    var all = new SetValue(m);
    var from = Iterate.over(map, side);
    for (var next = from.next(m); next != null; next = from.next(m)) {
      m.tick(1);
      all.table().add(m, next);
    }
    return all;
  }

  @Override
  public String typeName() {
    return switch (side) {
      case KEYS -> "dict_keys";
      case VALUES -> "dict_values";
      case ITEMS -> "dict_items";
    };
  }
}
