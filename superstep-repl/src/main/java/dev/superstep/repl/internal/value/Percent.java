package dev.superstep.repl.internal.value;

/// The `%` operator of texts.
final class Percent {
  private final Meter m;
  private final String text;
  private final Value args;
  private final StringBuilder out = new StringBuilder();
  private int at;
  private int next;

  private Percent(Meter m, String text, Value args) {
    this.m = m;
    this.text = text;
    this.args = args;
  }

  static String format(Meter m, String text, Value args) {
    return new Percent(m, text, args).run();
  }

  private String run() {
    while (at < text.length()) {
      int mark = text.indexOf('%', at);
      if (mark < 0) mark = text.length();
      out.append(text, at, mark);
      at = mark + 1;
      m.charge(2L * (mark - at + 1) + 16);
      m.tick(1);
      if (mark < text.length()) conversion();
    }
    boolean isUsed =
        !(args instanceof TupleValue t)
            ? next > 0 || args instanceof DictValue || args instanceof ListValue
            : next >= t.items.length;
    if (!isUsed) throw Raise.type("not all arguments converted during string formatting");
    return out.toString();
  }

  private char peek() {
    if (at >= text.length()) throw Raise.value("incomplete format");
    return text.charAt(at);
  }

  private void conversion() {
    if (peek() == '%') {
      out.append('%');
      at++;
      return;
    }
    Value named = null;
    if (peek() == '(') {
      int end = text.indexOf(')', at);
      if (end < 0) throw Raise.value("incomplete format key");
      if (!(args instanceof DictValue map)) throw Raise.type("format requires a mapping");
      named = Items.get(m, map, new Str(text.substring(at + 1, end)));
      at = end + 1;
    }
    var flags = new StringBuilder();
    while ("-+ #0".indexOf(peek()) >= 0) flags.append(text.charAt(at++));
    long width = number();
    if (width < 0) {
      flags.append('-');
      width = -width;
    }
    int precision = -1;
    if (peek() == '.') {
      at++;
      precision = Math.clamp(number(), 0, Integer.MAX_VALUE);
    }
    char type = peek();
    at++;
    one(flags.toString(), width, precision, type, named == null ? argument() : named);
  }

  private long number() {
    if (peek() == '*') {
      at++;
      var given = argument();
      if (!Numbers.isWhole(given)) throw Raise.type("* wants int");
      return Numbers.whole(given);
    }
    int from = at;
    while (Character.isDigit(peek())) at++;
    if (at - from > 9) throw Raise.value("width too big");
    return at == from ? 0 : Long.parseLong(text.substring(from, at));
  }

  private Value argument() {
    if (args instanceof TupleValue t) {
      if (next >= t.items.length) throw Raise.type("not enough arguments for format string");
      return t.items[next++];
    }
    if (next++ > 0) throw Raise.type("not enough arguments for format string");
    return args;
  }

  @SuppressWarnings("TooManyParameters")
  private void one(String flags, long width, int precision, char type, Value value) {
    boolean isLeft = flags.indexOf('-') >= 0;
    boolean isZero = flags.indexOf('0') >= 0 && !isLeft;
    char sign = flags.indexOf('+') >= 0 ? '+' : flags.indexOf(' ') >= 0 ? ' ' : '-';
    boolean isAlternate = flags.indexOf('#') >= 0;
    String shown;
    switch (type) {
      case 's', 'r', 'a' -> {
        shown = type == 's' ? Repr.str(m, value) : Repr.repr(m, value);
        if (precision >= 0 && precision < shown.codePointCount(0, shown.length())) {
          shown = shown.substring(0, shown.offsetByCodePoints(0, precision));
        }
        isZero = false;
      }
      case 'd', 'i', 'u', 'x', 'X', 'o' -> shown = whole(sign, isAlternate, type, value);
      case 'e', 'E', 'f', 'F', 'g', 'G' -> {
        if (!Numbers.isNumber(value)) {
          throw Raise.type("must be real number, not " + value.typeName());
        }
        shown = FormatSpec.of(sign, isAlternate, precision, type).real(m, Numbers.real(value));
      }
      case 'c' -> {
        shown =
            value instanceof Str s
                ? s.text(m)
                : Character.toString(Math.clamp(Numbers.whole(value), 0, 0x10FFFF));
        if (shown.codePointCount(0, shown.length()) != 1)
          throw Raise.type("%c requires int or char");
      }
      default ->
          throw Raise.value(
              "unsupported format character '"
                  + type
                  + "' (0x"
                  + Integer.toHexString(type)
                  + ") at index "
                  + (at - 1));
    }
    pad(shown, width, isLeft, isZero);
  }

  private String whole(char sign, boolean isAlternate, char type, Value value) {
    if (!Numbers.isNumber(value)) {
      boolean isDecimal = "diu".indexOf(type) >= 0;
      throw Raise.type(
          "%"
              + type
              + " format: "
              + (isDecimal ? "a real number" : "an integer")
              + " is required, not "
              + value.typeName());
    }
    if (value instanceof Real && "diu".indexOf(type) < 0) {
      throw Raise.type("%" + type + " format: an integer is required, not float");
    }
    var number = value instanceof Real r ? RealMath.whole(r.value) : value;
    char as = "diu".indexOf(type) >= 0 ? 'd' : type;
    return FormatSpec.of(sign, isAlternate, -1, as).whole(m, Numbers.big(number));
  }

  private void pad(String shown, long width, boolean isLeft, boolean isZero) {
    long gap = width - shown.codePointCount(0, shown.length());
    m.charge(2L * shown.length() + (gap > 0 ? 4 * gap : 0));
    m.work(shown.length() + Math.max(0, gap));
    if (gap <= 0) {
      out.append(shown);
    } else if (isLeft) {
      out.append(shown).repeat(" ", (int) gap);
    } else if (isZero) {
      int head = !shown.isEmpty() && "+- ".indexOf(shown.charAt(0)) >= 0 ? 1 : 0;
      out.append(shown, 0, head).repeat("0", (int) gap).append(shown, head, shown.length());
    } else {
      out.repeat(" ", (int) gap).append(shown);
    }
  }
}
