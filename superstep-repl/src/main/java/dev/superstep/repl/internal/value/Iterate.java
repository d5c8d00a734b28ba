package dev.superstep.repl.internal.value;

import org.jspecify.annotations.Nullable;

/// Goes through the items of a value.
public final class Iterate {
  private Iterate() {}

  /// An iterator over a value.
  public static Iter over(Meter m, Value value) {
    m.charge(48);
    return switch (value) {
      case Iter i -> i;
      case ListValue l -> new ListIter(l);
      case TupleValue t -> new TupleIter(t);
      case RangeValue r -> new RangeIter(r);
      case Str s -> new StrIter(s);
      case DictValue d -> new TableIter(d.table(), d, View.KEYS);
      case SetValue s -> new TableIter(s.table(), s, View.KEYS);
      case ViewValue v -> new TableIter(v.map().table(), v.map(), v.side());
      case TextValue t -> new TextIter(t);
      case Value _ -> throw Raise.type("'" + value.typeName() + "' object is not iterable");
    };
  }

  /// All items of a value as a new array.
  public static Value[] all(Meter m, Value value) {
    switch (value) {
      case ListValue l -> {
        return l.copy(m);
      }
      case TupleValue t -> {
        m.charge((long) Value.COPIED * t.items.length);
        m.work(t.items.length);
        return t.items.clone();
      }
      case DictValue d -> {
        return d.table().keyList(m);
      }
      case SetValue s -> {
        return s.table().keyList(m);
      }
      case Value _ -> {
        var all = drain(m, over(m, value));
        return all.copy(m);
      }
    }
  }

  private static ListValue drain(Meter m, Iter from) {
    var all = ListValue.sized(m, 0);
    m.hold(all);
    m.hold(from);
    for (var next = from.next(m); next != null; next = from.next(m)) {
      m.tick(1);
      all.add(m, next);
    }
    m.release();
    m.release();
    return all;
  }

  /// The list of all items of a value.
  public static ListValue list(Meter m, Value value) {
    if (value instanceof Iter i) return drain(m, i);
    return new ListValue(m, all(m, value));
  }

  /// The sides of a map.
  public enum View {
    KEYS,
    VALUES,
    ITEMS
  }

  /// An iterator over a side of a map.
  public static Iter over(DictValue map, View view) {
    return new TableIter(map.table(), map, view);
  }

  private static final class ListIter extends Iter {
    private final ListValue list;
    private int at;

    ListIter(ListValue list) {
      this.list = list;
    }

    @Override
    public @Nullable Value next(Meter m) {
      return at < list.size ? list.items[at++] : null;
    }

    @Override
    public Object[] keeps() {
      return new Object[] {list};
    }

    @Override
    public String typeName() {
      return "list_iterator";
    }
  }

  private static final class TupleIter extends Iter {
    private final TupleValue tuple;
    private int at;

    TupleIter(TupleValue tuple) {
      this.tuple = tuple;
    }

    @Override
    public @Nullable Value next(Meter m) {
      return at < tuple.items.length ? tuple.items[at++] : null;
    }

    @Override
    public Object[] keeps() {
      return new Object[] {tuple};
    }

    @Override
    public String typeName() {
      return "tuple_iterator";
    }
  }

  private static final class RangeIter extends Iter {
    private final RangeValue range;
    private long at;

    RangeIter(RangeValue range) {
      this.range = range;
    }

    @Override
    public @Nullable Value next(Meter m) {
      return at < range.size() ? Int.of(range.get(at++)) : null;
    }

    @Override
    public String typeName() {
      return "range_iterator";
    }
  }

  private static final class StrIter extends Iter {
    private final Str text;
    private int at;

    StrIter(Str text) {
      this.text = text;
    }

    @Override
    public @Nullable Value next(Meter m) {
      var flat = text.text(m);
      if (at >= flat.length()) return null;
      int point = flat.codePointAt(at);
      at += Character.charCount(point);
      if (point >= 256) m.charge(56);
      return Str.ofPoint(point);
    }

    @Override
    public Object[] keeps() {
      return new Object[] {text};
    }

    @Override
    public String typeName() {
      return "str_iterator";
    }
  }

  private static final class TextIter extends Iter {
    private final TextValue text;
    private String window = "";
    private long read;
    private int at;

    TextIter(TextValue text) {
      this.text = text;
    }

    @Override
    public @Nullable Value next(Meter m) {
      if (at >= window.length()) {
        if (read >= text.length()) return null;
        long end = Math.min(text.length(), read + 1_024);
        window = text.piece(m, read, end);
        read = end;
        at = 0;
      }
      int point = window.codePointAt(at);
      at += Character.charCount(point);
      if (point >= 256) m.charge(56);
      return Str.ofPoint(point);
    }

    @Override
    public String typeName() {
      return "text_iterator";
    }
  }

  private static final class TableIter extends Iter {
    private final Table table;
    private final Value owner;
    private final View view;
    private final int changes;
    private int at;
    private boolean ended;

    TableIter(Table table, Value owner, View view) {
      this.table = table;
      this.owner = owner;
      this.view = view;
      this.changes = table.changes();
    }

    @Override
    public @Nullable Value next(Meter m) {
      if (ended) return null;
      if (table.changes() != changes) {
        ended = true;
        throw Raise.of(
            ErrorType.RUNTIME,
            (owner instanceof SetValue ? "Set" : "dictionary") + " changed size during iteration");
      }
      while (at < table.end()) {
        int entry = at++;
        var key = table.key(entry);
        if (key == null) continue;
        return switch (view) {
          case KEYS -> key;
          case VALUES -> table.value(entry);
          case ITEMS -> TupleValue.of(m, key, table.value(entry));
        };
      }
      ended = true;
      return null;
    }

    @Override
    public Object[] keeps() {
      return new Object[] {owner};
    }

    @Override
    public String typeName() {
      return "iterator";
    }
  }
}
