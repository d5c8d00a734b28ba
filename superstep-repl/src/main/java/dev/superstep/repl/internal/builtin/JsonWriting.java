package dev.superstep.repl.internal.builtin;

import dev.superstep.repl.internal.value.BigInt;
import dev.superstep.repl.internal.value.Bool;
import dev.superstep.repl.internal.value.DictValue;
import dev.superstep.repl.internal.value.Int;
import dev.superstep.repl.internal.value.ListValue;
import dev.superstep.repl.internal.value.Meter;
import dev.superstep.repl.internal.value.None;
import dev.superstep.repl.internal.value.Order;
import dev.superstep.repl.internal.value.Raise;
import dev.superstep.repl.internal.value.Real;
import dev.superstep.repl.internal.value.Repr;
import dev.superstep.repl.internal.value.Str;
import dev.superstep.repl.internal.value.TupleValue;
import dev.superstep.repl.internal.value.Value;
import java.util.ArrayDeque;
import java.util.Locale;

/// `json.dumps`.
@SuppressWarnings("ReferenceEquality") // Identity is meant.
final class JsonWriting {
  private static final int PART = 512;

  private final Meter m;
  private final Style style;
  private final StringBuilder out = new StringBuilder();
  private final ArrayDeque<Value> around = new ArrayDeque<>();
  private int charged;

  /// @param indent what a level begins with; empty for one line without indents
  record Style(
      String indent,
      boolean isIndented,
      boolean isSorted,
      boolean isAscii,
      String comma,
      String colon) {}

  private JsonWriting(Meter m, Style style) {
    this.m = m;
    this.style = style;
  }

  static Value write(Meter m, Value value, Style style) {
    var writing = new JsonWriting(m, style);
    writing.value(value);
    return Str.of(m, writing.out.toString());
  }

  private void pay() {
    int more = out.length() - charged;
    if (more < PART) return;
    m.charge(4L * more);
    m.work(more);
    charged = out.length();
  }

  private void value(Value value) {
    m.tick(1);
    pay();
    switch (value) {
      case None _ -> out.append("null");
      case Bool b -> out.append(b.value());
      case Int i -> out.append(i.value());
      case BigInt b -> out.append(b.value());
      case Real r -> out.append(real(r.value()));
      case Str s -> text(s.text(m));
      case ListValue l -> {
        enter(l);
        items(l);
      }
      case TupleValue t -> {
        enter(t);
        items(new ListValue(m, t.items().clone()));
      }
      case DictValue d -> {
        enter(d);
        map(d);
      }
      case Value _ ->
          throw Raise.type("Object of type " + value.typeName() + " is not JSON serializable");
    }
  }

  private void enter(Value value) {
    for (var outer : around) if (outer == value) throw Raise.value("Circular reference detected");
    m.tick(1 + around.size() / 16);
    m.enter(0);
    around.push(value);
  }

  private void leave() {
    around.pop();
    m.leave(0);
  }

  private static String real(double value) {
    if (Double.isNaN(value)) return "NaN";
    if (Double.isInfinite(value)) return value > 0 ? "Infinity" : "-Infinity";
    return Repr.real(value);
  }

  private void line(int depth) {
    if (!style.isIndented) return;
    m.charge(4L * depth * style.indent.length());
    out.append('\n');
    for (int i = 0; i < depth; i++) out.append(style.indent);
  }

  private void items(ListValue list) {
    out.append('[');
    int depth = around.size();
    for (int i = 0; i < list.size(); i++) {
      if (i > 0) out.append(style.comma);
      line(depth);
      value(list.get(i));
    }
    if (list.size() > 0) line(depth - 1);
    out.append(']');
    leave();
  }

  private void map(DictValue map) {
    out.append('{');
    int depth = around.size();
    var keys = map.table().keyList(m);
    if (style.isSorted) Order.sort(m, keys, keys, false);
    boolean isFirst = true;
    for (var key : keys) {
      if (!isFirst) out.append(style.comma);
      isFirst = false;
      line(depth);
      text(key(key));
      out.append(style.colon);
      var value = map.table().get(m, key);
      if (value != null) value(value);
    }
    if (keys.length > 0) line(depth - 1);
    out.append('}');
    leave();
  }

  private String key(Value key) {
    return switch (key) {
      case Str s -> s.text(m);
      case None _ -> "null";
      case Bool b -> String.valueOf(b.value());
      case Int i -> Long.toString(i.value());
      case BigInt b -> b.value().toString();
      case Real r -> real(r.value());
      case Value _ ->
          throw Raise.type("keys must be str, int, float, bool or None, not " + key.typeName());
    };
  }

  private void text(String text) {
    m.charge(4L * text.length());
    m.work(text.length());
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"' -> out.append("\\\"");
        case '\\' -> out.append("\\\\");
        case '\n' -> out.append("\\n");
        case '\r' -> out.append("\\r");
        case '\t' -> out.append("\\t");
        case '\b' -> out.append("\\b");
        case '\f' -> out.append("\\f");
        default -> {
          if (c < ' ' || (c > 0x7E && style.isAscii)) {
            out.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
          } else out.append(c);
        }
      }
    }
    out.append('"');
    charged = Math.max(charged, out.length());
  }
}
