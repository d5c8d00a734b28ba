package dev.superstep.repl.internal.value;

/// The truth of a value.
public final class Truth {
  private Truth() {}

  public static boolean of(Value value) {
    return switch (value) {
      case Bool b -> b.value();
      case None _ -> false;
      case Int i -> i.value != 0;
      case Real r -> r.value != 0;
      case Str s -> s.chars() > 0;
      case ListValue l -> l.size > 0;
      case TupleValue t -> t.items.length > 0;
      case DictValue d -> d.table().size() > 0;
      case SetValue s -> s.table().size() > 0;
      case RangeValue r -> r.size() > 0;
      case TextValue t -> t.length() > 0;
      case ViewValue v -> v.map().table().size() > 0;
      case Value _ -> true;
    };
  }
}
