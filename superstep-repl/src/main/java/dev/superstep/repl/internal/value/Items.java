package dev.superstep.repl.internal.value;

import java.util.Arrays;

/// Reads, sets and deletes what stands between brackets; `in` and `len`.
public final class Items {
  private Items() {}

  /// The length of a value.
  public static long length(Value value) {
    return switch (value) {
      case Str s -> s.length();
      case ListValue l -> l.size;
      case TupleValue t -> t.items.length;
      case DictValue d -> d.table().size();
      case SetValue s -> s.table().size();
      case RangeValue r -> r.size();
      case TextValue t -> t.length();
      case ViewValue v -> v.map().table().size();
      case Value _ -> throw Raise.type("object of type '" + value.typeName() + "' has no len()");
    };
  }

  /// The item of a key or index, or the part of a slice.
  public static Value get(Meter m, Value from, Value key) {
    if (key instanceof SliceValue slice && !(from instanceof DictValue))
      return part(m, from, slice);
    return switch (from) {
      case ListValue l -> l.items[at(key, l.size, "list")];
      case DictValue d -> {
        var found = d.table().get(m, key);
        if (found == null) throw Raise.key(key);
        yield found;
      }
      case Str s -> Str.ofPoint(s.pointAt(m, at(key, s.length(), "string")));
      case TupleValue t -> t.items[at(key, t.items.length, "tuple")];
      case RangeValue r -> Int.of(r.get(place(key, r.size(), "range object")));
      case TextValue t -> {
        long index = place(key, t.length(), "Text");
        yield Str.of(m, t.piece(m, index, index + 1));
      }
      case MatchValue g -> Groups.get(m, g, key);
      case Value _ -> throw Raise.type("'" + from.typeName() + "' object is not subscriptable");
    };
  }

  private static int at(Value key, int length, String kind) {
    return (int) place(key, length, kind);
  }

  private static long place(Value key, long length, String kind) {
    if (!Numbers.isWhole(key)) {
      var type = kind.equals("range object") ? "range" : kind;
      throw Raise.type(
          type
              + (kind.equals("string")
                  ? " indices must be integers, not '"
                  : " indices must be integers or slices, not ")
              + key.typeName()
              + (kind.equals("string") ? "'" : ""));
    }
    if (key instanceof BigInt) throw Raise.index("cannot fit 'int' into an index-sized integer");
    long index = Numbers.whole(key);
    if (index < 0) index += length;
    if (index < 0 || index >= length) throw Raise.index(kind + " index out of range");
    return index;
  }

  private static Value part(Meter m, Value from, SliceValue slice) {
    return switch (from) {
      case ListValue l -> new ListValue(m, pick(m, l.items, slice.in(l.size)));
      case TupleValue t -> TupleValue.of(m, pick(m, t.items, slice.in(t.items.length)));
      case Str s -> text(m, s, slice.in(s.length()));
      case RangeValue r -> {
        var at = slice.in(r.size());
        yield new RangeValue(r.get(at.start()), r.get(at.stop()), r.step() * at.step());
      }
      case TextValue t -> {
        var at = slice.in(t.length());
        if (at.step() != 1)
          throw Raise.value("a Text has slices with step 1 only; take str() of a part");
        yield t.view(m, Math.min(at.start(), at.stop()), at.stop());
      }
      case Value _ -> throw Raise.type("'" + from.typeName() + "' object is not subscriptable");
    };
  }

  private static Value[] pick(Meter m, Value[] items, SliceValue.Places at) {
    int count = (int) at.count();
    m.charge((long) Value.COPIED * count);
    m.work(count);
    if (at.step() == 1)
      return Arrays.copyOfRange(items, (int) at.start(), (int) at.start() + count);
    var some = new Value[count];
    for (int i = 0; i < count; i++) some[i] = items[(int) (at.start() + i * at.step())];
    return some;
  }

  private static Str text(Meter m, Str s, SliceValue.Places at) {
    if (at.step() == 1) return s.part(m, (int) at.start(), (int) (at.start() + at.count()));
    m.charge(4 * at.count());
    m.work(at.count());
    var some = new StringBuilder();
    for (long i = 0; i < at.count(); i++) {
      some.appendCodePoint(s.pointAt(m, (int) (at.start() + i * at.step())));
    }
    return Str.of(m, some.toString());
  }

  /// Sets the item of a key or index, or the part of a slice.
  public static void set(Meter m, Value in, Value key, Value value) {
    switch (in) {
      case DictValue d -> d.table().put(m, key, value);
      case ListValue l when key instanceof SliceValue slice -> setPart(m, l, slice, value);
      case ListValue l -> l.items[target(key, l)] = value;
      case Value _ ->
          throw Raise.type("'" + in.typeName() + "' object does not support item assignment");
    }
  }

  private static int target(Value key, ListValue list) {
    try {
      return at(key, list.size, "list");
    } catch (Raise e) {
      if (e.error().type() != ErrorType.INDEX) throw e;
      throw Raise.index("list assignment index out of range");
    }
  }

  private static void setPart(Meter m, ListValue list, SliceValue slice, Value value) {
    if (value instanceof None || value instanceof Int)
      throw Raise.type("can only assign an iterable");
    var items = Iterate.all(m, value);
    var at = slice.in(list.size);
    if (at.step() == 1) {
      list.replace(m, (int) at.start(), (int) Math.max(at.start(), at.stop()), items);
      return;
    }
    if (items.length != at.count()) {
      throw Raise.value(
          "attempt to assign sequence of size "
              + items.length
              + " to extended slice of size "
              + at.count());
    }
    for (int i = 0; i < items.length; i++)
      list.items[(int) (at.start() + i * at.step())] = items[i];
  }

  /// Deletes the item of a key or index, or the part of a slice.
  public static void delete(Meter m, Value in, Value key) {
    switch (in) {
      case DictValue d -> {
        if (d.table().remove(m, key) == null) throw Raise.key(key);
      }
      case ListValue l when key instanceof SliceValue slice -> deletePart(m, l, slice);
      case ListValue l -> l.remove(m, target(key, l));
      case Value _ ->
          throw Raise.type("'" + in.typeName() + "' object doesn't support item deletion");
    }
  }

  private static void deletePart(Meter m, ListValue list, SliceValue slice) {
    var at = slice.in(list.size);
    if (at.count() == 0) return;
    if (at.step() == 1) {
      list.replace(m, (int) at.start(), (int) at.stop(), new Value[0]);
      return;
    }
    m.charge(list.size);
    m.work(list.size);
    var goes = new boolean[list.size];
    for (long i = 0; i < at.count(); i++) goes[(int) (at.start() + i * at.step())] = true;
    var rest = new Value[list.size - (int) at.count()];
    int to = 0;
    for (int i = 0; i < list.size; i++) if (!goes[i]) rest[to++] = list.items[i];
    list.become(rest);
  }

  /// Returns whether `in` holds.
  public static boolean contains(Meter m, Value in, Value item) {
    switch (in) {
      case DictValue d -> {
        return d.table().contains(m, item);
      }
      case SetValue s -> {
        return s.table().contains(m, item);
      }
      case Str s -> {
        if (!(item instanceof Str part)) {
          throw Raise.type("'in <string>' requires string as left operand, not " + item.typeName());
        }
        m.work(s.chars());
        return Search.find(m, s.text(m), part.text(m), 0) >= 0;
      }
      case TextValue t -> {
        if (!(item instanceof Str part)) {
          throw Raise.type("'in <Text>' requires string as left operand, not " + item.typeName());
        }
        return Search.find(m, t, part.text(m), 0, t.length()) >= 0;
      }
      case RangeValue r when item instanceof Int i -> {
        return inRange(r, i.value);
      }
      case ViewValue v when v.side() == Iterate.View.KEYS -> {
        return v.map().table().contains(m, item);
      }
      case Value _ -> {
        return scan(m, in, item);
      }
    }
  }

  private static boolean inRange(RangeValue r, long value) {
    if (r.step() > 0
        ? value < r.start() || value >= r.stop()
        : value > r.start() || value <= r.stop()) {
      return false;
    }
    return (value - r.start()) % r.step() == 0;
  }

  private static boolean scan(Meter m, Value in, Value item) {
    if (in instanceof ListValue l) {
      for (int i = 0; i < l.size; i++) {
        if ((i & 7) == 0) m.tick(1);
        if (Equality.same(m, l.items[i], item)) return true;
      }
      return false;
    }
    Iter from;
    try {
      from = Iterate.over(m, in);
    } catch (Raise _) {
      throw Raise.type("argument of type '" + in.typeName() + "' is not iterable");
    }
    for (var next = from.next(m); next != null; next = from.next(m)) {
      m.tick(1);
      if (Equality.same(m, next, item)) return true;
    }
    return false;
  }
}
