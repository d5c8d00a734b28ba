package dev.superstep.repl.internal.value;

import java.math.BigDecimal;
import java.util.Locale;

/// Values as text: `str()` and `repr()`. Counts the text as memory while it grows.
@SuppressWarnings("ReferenceEquality") // Identity is meant.
public final class Repr {
  private static final int PART = 512;

  private final Meter m;
  private final StringBuilder out = new StringBuilder();
  private final java.util.ArrayDeque<Value> around = new java.util.ArrayDeque<>();
  private int charged;

  private Repr(Meter m) {
    this.m = m;
  }

  /// The text that `str()` gives.
  public static String str(Meter m, Value value) {
    return switch (value) {
      case Str s -> s.text(m);
      case Int i -> Long.toString(i.value);
      case ErrorValue e -> message(m, e);
      case TextValue t -> t.read(m, 0, t.length());
      case Value _ -> repr(m, value);
    };
  }

  /// The text that `repr()` gives.
  public static String repr(Meter m, Value value) {
    var writer = new Repr(m);
    writer.write(value);
    writer.pay();
    return writer.out.toString();
  }

  /// The message of an exception, as `str()` gives it.
  public static String message(Meter m, ErrorValue error) {
    var args = error.args();
    if (args.length == 0) return "";
    if (args.length > 1) return repr(m, TupleValue.of(m, args));
    return error.type().isA(ErrorType.KEY) ? repr(m, args[0]) : str(m, args[0]);
  }

  private void pay() {
    if (out.length() - charged < PART && charged > 0) return;
    int more = Math.max(0, out.length() - charged);
    m.charge(4L * more);
    m.work(more);
    charged = out.length();
  }

  private void write(Value value) {
    m.tick(1);
    if (out.length() - charged >= PART) pay();
    switch (value) {
      case None _ -> out.append("None");
      case Bool b -> out.append(b.value() ? "True" : "False");
      case Int i -> out.append(i.value);
      case BigInt b -> out.append(b.value());
      case Real r -> out.append(real(r.value));
      case Str s -> quoted(s);
      case ListValue _, TupleValue _, DictValue _, SetValue _, ViewValue _ -> container(value);
      case RangeValue r -> range(r);
      case TextValue t -> out.append("<Text of ").append(t.length()).append(" characters>");
      case HandleValue h ->
          out.append('<').append(h.typeName()).append(' ').append(h.label()).append('>');
      case ResultValue r -> result(r);
      case ErrorValue e -> error(e);
      case ModuleValue x -> out.append("<module '").append(x.name()).append("'>");
      case PatternValue p -> {
        out.append("re.compile(");
        quoted(new Str(p.source()));
        out.append(')');
      }
      case MatchValue g -> match(g);
      case Callable c -> callable(c);
      case Iter i -> out.append('<').append(i.typeName()).append('>');
      case SliceValue _, CellValue _ -> out.append('<').append(value.typeName()).append('>');
    }
  }

  private void callable(Callable c) {
    switch (c.typeName()) {
      case "type" -> out.append("<class '").append(c.label()).append("'>");
      case "builtin_function_or_method" ->
          out.append("<built-in function ").append(c.label()).append('>');
      default -> out.append('<').append(c.typeName()).append(' ').append(c.label()).append('>');
    }
  }

  private void range(RangeValue r) {
    out.append("range(").append(r.start()).append(", ").append(r.stop());
    if (r.step() != 1) out.append(", ").append(r.step());
    out.append(')');
  }

  private void match(MatchValue g) {
    out.append("<Match span=(").append(g.text().point(m, g.start(0))).append(", ");
    out.append(g.text().point(m, g.end(0))).append("), match=");
    quoted(new Str(g.text().text(m).substring(g.start(0), g.end(0))));
    out.append('>');
  }

  private void result(ResultValue r) {
    m.enter(0);
    out.append("Result(ok=").append(r.ok() ? "True" : "False").append(", value=");
    write(r.value());
    out.append(", error=");
    write(r.error());
    out.append(')');
    m.leave(0);
  }

  private void error(ErrorValue e) {
    m.enter(0);
    out.append(e.type().name()).append('(');
    list(e.args(), e.args().length);
    out.append(')');
    m.leave(0);
  }

  private void container(Value value) {
    for (var outer : around) {
      m.tick(1);
      if (outer == value) {
        out.append(
            value instanceof ListValue ? "[...]" : value instanceof DictValue ? "{...}" : "(...)");
        return;
      }
    }
    around.push(value);
    m.enter(0);
    switch (value) {
      case ListValue l -> {
        out.append('[');
        list(l.items, l.size);
        out.append(']');
      }
      case TupleValue t -> {
        out.append('(');
        list(t.items, t.items.length);
        out.append(t.items.length == 1 ? ",)" : ")");
      }
      case DictValue d -> map(d.table());
      case SetValue s -> set(s.table());
      case ViewValue v -> {
        var items = Iterate.all(m, v);
        out.append(v.typeName()).append("([");
        list(items, items.length);
        out.append("])");
      }
      case Value _ -> throw new IllegalArgumentException(value.typeName());
    }
    m.leave(0);
    around.pop();
  }

  private void list(Value[] items, int size) {
    for (int i = 0; i < size; i++) {
      if (i > 0) out.append(", ");
      write(items[i]);
    }
  }

  private void map(Table table) {
    out.append('{');
    boolean isFirst = true;
    for (int i = 0; i < table.end(); i++) {
      var key = table.key(i);
      if (key == null) continue;
      if (!isFirst) out.append(", ");
      isFirst = false;
      write(key);
      out.append(": ");
      write(table.value(i));
    }
    out.append('}');
  }

  private void set(Table table) {
    if (table.size() == 0) {
      out.append("set()");
      return;
    }
    out.append('{');
    boolean isFirst = true;
    for (int i = 0; i < table.end(); i++) {
      var key = table.key(i);
      if (key == null) continue;
      if (!isFirst) out.append(", ");
      isFirst = false;
      write(key);
    }
    out.append('}');
  }

  private void quoted(Str s) {
    var text = s.text(m);
    m.charge(2L * text.length());
    m.work(text.length());
    char quote = text.indexOf('\'') >= 0 && text.indexOf('"') < 0 ? '"' : '\'';
    out.append(quote);
    for (int i = 0; i < text.length(); ) {
      int c = text.codePointAt(i);
      i += Character.charCount(c);
      if (c == quote || c == '\\') out.append('\\').append((char) c);
      else if (c >= ' ' && c < 0x7F) out.append((char) c);
      else escaped(c);
    }
    out.append(quote);
  }

  private void escaped(int c) {
    switch (c) {
      case '\n' -> out.append("\\n");
      case '\r' -> out.append("\\r");
      case '\t' -> out.append("\\t");
      default -> {
        if (isPrintable(c)) out.appendCodePoint(c);
        else if (c < 0x100) out.append(String.format(Locale.ROOT, "\\x%02x", c));
        else if (c < 0x10000) out.append(String.format(Locale.ROOT, "\\u%04x", c));
        else out.append(String.format(Locale.ROOT, "\\U%08x", c));
      }
    }
  }

  /// Returns whether Python shows a character as it is.
  public static boolean isPrintable(int c) {
    if (c == ' ') return true;
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SPACE_SEPARATOR ->
          false;
      default -> true;
    };
  }

  /// A floating-point number with the fewest digits that give it back.
  public static String real(double value) {
    if (Double.isNaN(value)) return "nan";
    if (Double.isInfinite(value)) return value > 0 ? "inf" : "-inf";
    if (value == 0) return 1 / value < 0 ? "-0.0" : "0.0";
    var exact = new BigDecimal(Double.toString(Math.abs(value))).stripTrailingZeros();
    var digits = exact.unscaledValue().toString();
    int point = digits.length() - exact.scale();
    var text = point > -4 && point <= 16 ? plain(digits, point) : scientific(digits, point - 1);
    return value < 0 ? "-" + text : text;
  }

  private static String plain(String digits, int point) {
    if (point <= 0) return "0." + "0".repeat(-point) + digits;
    if (point >= digits.length()) return digits + "0".repeat(point - digits.length()) + ".0";
    return digits.substring(0, point) + "." + digits.substring(point);
  }

  private static String scientific(String digits, int exponent) {
    var part = digits.length() > 1 ? digits.charAt(0) + "." + digits.substring(1) : digits;
    int size = Math.abs(exponent);
    return part + (exponent < 0 ? "e-" : "e+") + (size < 10 ? "0" : "") + size;
  }
}
