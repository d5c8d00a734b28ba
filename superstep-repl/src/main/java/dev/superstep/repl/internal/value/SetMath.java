package dev.superstep.repl.internal.value;

/// The operators of sets.
public final class SetMath {
  private SetMath() {}

  /// Applies `|`, `&`, `-` or `^`.
  public static SetValue apply(Meter m, String op, SetValue a, SetValue b) {
    var found = new SetValue(m);
    switch (op) {
      case "|" -> {
        found.table().addAll(m, a.table());
        found.table().addAll(m, b.table());
      }
      // As in CPython, the smaller side says which of two equal values stays.
      case "&" -> {
        boolean isFirst = b.table().size() > a.table().size();
        some(m, found, isFirst ? a : b, isFirst ? b.table() : a.table(), true);
      }
      case "-" -> some(m, found, a, b.table(), false);
      default -> {
        some(m, found, a, b.table(), false);
        some(m, found, b, a.table(), false);
      }
    }
    return found;
  }

  /// The items of a set that another one has, too.
  public static SetValue shared(Meter m, SetValue of, SetValue other) {
    var found = new SetValue(m);
    some(m, found, of, other.table(), true);
    return found;
  }

  private static void some(Meter m, SetValue into, SetValue from, Table other, boolean shared) {
    var keys = from.table();
    for (int i = 0; i < keys.end(); i++) {
      var key = keys.key(i);
      if (key == null) continue;
      m.tick(1);
      if (other.contains(m, key) == shared) into.table().add(m, key);
    }
  }
}
