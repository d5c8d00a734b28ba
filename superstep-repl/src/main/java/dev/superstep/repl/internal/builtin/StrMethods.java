package dev.superstep.repl.internal.builtin;

import static dev.superstep.repl.internal.builtin.Args.need;

import dev.superstep.repl.internal.value.Bool;
import dev.superstep.repl.internal.value.DictValue;
import dev.superstep.repl.internal.value.Int;
import dev.superstep.repl.internal.value.Items;
import dev.superstep.repl.internal.value.Iterate;
import dev.superstep.repl.internal.value.ListValue;
import dev.superstep.repl.internal.value.Meter;
import dev.superstep.repl.internal.value.None;
import dev.superstep.repl.internal.value.Numbers;
import dev.superstep.repl.internal.value.Raise;
import dev.superstep.repl.internal.value.Search;
import dev.superstep.repl.internal.value.Str;
import dev.superstep.repl.internal.value.TupleValue;
import dev.superstep.repl.internal.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// The methods of texts.
final class StrMethods {
  private static final Locale NO_PLACE = Locale.ROOT;

  private StrMethods() {}

  static List<Method> all() {
    var all = new ArrayList<Method>();
    cases(all);
    finding(all);
    cutting(all);
    padding(all);
    all.add(
        new Method(
            "format(*args, **kwargs)",
            (m, self, a) ->
                StrFormat.format(m, (Str) self, (TupleValue) need(a[0]), (DictValue) need(a[1]))));
    all.add(new Method("join(iterable, /)", (m, self, a) -> join(m, (Str) self, need(a[0]))));
    all.add(
        new Method("translate(table, /)", (m, self, a) -> translate(m, (Str) self, need(a[0]))));
    all.add(
        new Method(
            "encode()",
            (m, self, a) -> {
              throw Raise.type("there are no bytes, only texts");
            }));
    return all;
  }

  /// Those that a large text has too; they read all of it.
  static List<Method> ofTexts() {
    var all = new ArrayList<Method>();
    cases(all);
    cutting(all);
    all.add(starts());
    all.add(ends());
    all.add(new Method("replace(old, new, count=, /)", (m, self, a) -> replace(m, self, a)));
    return all;
  }

  private static void map(List<Method> all, String name, UnaryOperator<String> map) {
    all.add(
        new Method(
            name + "()",
            (m, self, a) -> {
              var text = Attributes.whole(m, self).text(m);
              m.charge(4L * text.length());
              m.work(text.length());
              return Str.of(m, map.apply(text));
            }));
  }

  private static void cases(List<Method> all) {
    map(all, "upper", text -> text.toUpperCase(NO_PLACE));
    map(all, "lower", text -> text.toLowerCase(NO_PLACE));
    map(all, "casefold", text -> text.toUpperCase(NO_PLACE).toLowerCase(NO_PLACE));
    map(all, "title", StrMethods::title);
    map(all, "swapcase", StrMethods::swapped);
    map(
        all,
        "capitalize",
        text -> {
          if (text.isEmpty()) return text;
          int size = Character.charCount(text.codePointAt(0));
          return Character.toString(Character.toTitleCase(text.codePointAt(0)))
              + text.substring(size).toLowerCase(NO_PLACE);
        });
  }

  private static String title(String text) {
    var out = new StringBuilder();
    boolean inWord = false;
    for (int c : text.codePoints().toArray()) {
      boolean isCased =
          Character.isUpperCase(c) || Character.isLowerCase(c) || Character.isTitleCase(c);
      out.appendCodePoint(inWord ? Character.toLowerCase(c) : Character.toTitleCase(c));
      inWord = isCased;
    }
    return out.toString();
  }

  private static String swapped(String text) {
    var out = new StringBuilder();
    for (int c : text.codePoints().toArray()) {
      if (Character.isUpperCase(c)) out.appendCodePoint(Character.toLowerCase(c));
      else if (Character.isLowerCase(c)) out.append(Character.toString(c).toUpperCase(NO_PLACE));
      else out.appendCodePoint(c);
    }
    return out.toString();
  }

  // --- finding ---

  private static void finding(List<Method> all) {
    all.add(
        new Method("find(sub, start=, end=, /)", (m, self, a) -> Int.of(find(m, self, a, false))));
    all.add(
        new Method("rfind(sub, start=, end=, /)", (m, self, a) -> Int.of(find(m, self, a, true))));
    all.add(
        new Method(
            "index(sub, start=, end=, /)", (m, self, a) -> Int.of(index(find(m, self, a, false)))));
    all.add(
        new Method(
            "rindex(sub, start=, end=, /)", (m, self, a) -> Int.of(index(find(m, self, a, true)))));
    all.add(new Method("count(sub, start=, end=, /)", StrMethods::count));
    all.add(starts());
    all.add(ends());
  }

  private static int index(int found) {
    if (found < 0) throw Raise.value("substring not found");
    return found;
  }

  private record Range(String text, int from, int to, Str whole) {}

  private static Range range(Meter m, Value self, @Nullable Value[] a) {
    var text = (Str) self;
    long from = Args.place(a[1], 0, text.length());
    long to = Math.min(text.length(), Args.place(a[2], text.length(), text.length()));
    if (from > to) return new Range("", -1, -1, text);
    int start = text.offset(m, (int) from);
    return new Range(text.text(m), start, text.offset(m, (int) to), text);
  }

  private static int find(Meter m, Value self, @Nullable Value[] a, boolean isLast) {
    var part = Args.text(a[0], "must be str, not").text(m);
    var range = range(m, self, a);
    if (range.from < 0) return -1;
    int found;
    if (isLast) {
      m.work((long) (range.to - range.from) * Math.min(16, 1 + part.length()));
      found = range.text.lastIndexOf(part, range.to - part.length());
      if (found < range.from) found = -1;
    } else {
      var inside = range.to == range.text.length() ? range.text : range.text.substring(0, range.to);
      found = Search.find(m, inside, part, range.from);
    }
    return found < 0 ? -1 : range.whole.point(m, found);
  }

  private static Value count(Meter m, Value self, @Nullable Value[] a) {
    var part = Args.text(a[0], "must be str, not").text(m);
    var range = range(m, self, a);
    if (range.from < 0) return Int.ZERO;
    var inside = range.text.substring(range.from, range.to);
    m.charge(2L * inside.length());
    if (part.isEmpty()) return Int.of(inside.codePointCount(0, inside.length()) + 1L);
    long count = 0;
    for (int at = Search.find(m, inside, part, 0); at >= 0; count++) {
      m.tick(1);
      at = Search.find(m, inside, part, at + part.length());
    }
    return Int.of(count);
  }

  private static Method starts() {
    return new Method(
        "startswith(prefix, start=, end=, /)", (m, self, a) -> Bool.of(touches(m, self, a, false)));
  }

  private static Method ends() {
    return new Method(
        "endswith(suffix, start=, end=, /)", (m, self, a) -> Bool.of(touches(m, self, a, true)));
  }

  private static boolean touches(Meter m, Value self, @Nullable Value[] a, boolean isEnd) {
    var range = range(m, Attributes.whole(m, self), a);
    if (need(a[0]) instanceof TupleValue several) {
      for (var one : several.items()) if (touches(m, range, one, isEnd)) return true;
      return false;
    }
    return touches(m, range, need(a[0]), isEnd);
  }

  private static boolean touches(Meter m, Range range, Value part, boolean isEnd) {
    if (!(part instanceof Str text)) {
      throw Raise.type(
          (isEnd ? "endswith" : "startswith")
              + " first arg must be str or a tuple of str, not "
              + part.typeName());
    }
    var chars = text.text(m);
    m.work(chars.length());
    if (range.from < 0 || chars.length() > range.to - range.from) return false;
    return range.text.startsWith(chars, isEnd ? range.to - chars.length() : range.from);
  }

  // --- cutting ---

  private static void cutting(List<Method> all) {
    all.add(
        new Method(
            "split(sep=, maxsplit=)",
            (m, self, a) ->
                Splits.split(m, Attributes.whole(m, self), a[0], Args.small(a[1], -1))));
    all.add(
        new Method(
            "rsplit(sep=, maxsplit=)",
            (m, self, a) ->
                Splits.splitRight(m, Attributes.whole(m, self), a[0], Args.small(a[1], -1))));
    all.add(
        new Method(
            "splitlines(keepends=)",
            (m, self, a) -> Splits.lines(m, Attributes.whole(m, self), Args.flag(a[0], false))));
    all.add(new Method("strip(chars=, /)", (m, self, a) -> strip(m, self, a[0], true, true)));
    all.add(new Method("lstrip(chars=, /)", (m, self, a) -> strip(m, self, a[0], true, false)));
    all.add(new Method("rstrip(chars=, /)", (m, self, a) -> strip(m, self, a[0], false, true)));
    all.add(
        new Method(
            "partition(sep, /)",
            (m, self, a) ->
                Splits.partition(
                    m, Attributes.whole(m, self), Args.text(a[0], "must be str, not"), false)));
    all.add(
        new Method(
            "rpartition(sep, /)",
            (m, self, a) ->
                Splits.partition(
                    m, Attributes.whole(m, self), Args.text(a[0], "must be str, not"), true)));
    all.add(new Method("replace(old, new, count=, /)", (m, self, a) -> replace(m, self, a)));
    all.add(
        new Method(
            "removeprefix(prefix, /)",
            (m, self, a) -> {
              var text = Attributes.whole(m, self);
              var part = Args.text(a[0], "removeprefix() argument").text(m);
              var chars = text.text(m);
              return chars.startsWith(part) ? Str.of(m, chars.substring(part.length())) : text;
            }));
    all.add(
        new Method(
            "removesuffix(suffix, /)",
            (m, self, a) -> {
              var text = Attributes.whole(m, self);
              var part = Args.text(a[0], "removesuffix() argument").text(m);
              var chars = text.text(m);
              return !part.isEmpty() && chars.endsWith(part)
                  ? Str.of(m, chars.substring(0, chars.length() - part.length()))
                  : text;
            }));
  }

  private static Value strip(
      Meter m, Value self, @Nullable Value chars, boolean left, boolean right) {
    var whole = Attributes.whole(m, self);
    var text = whole.text(m);
    var set = Args.isNone(chars) ? null : Args.text(chars, "strip arg").text(m);
    int from = 0;
    int to = text.length();
    while (left && from < to) {
      int c = text.codePointAt(from);
      if (!isStripped(c, set)) break;
      from += Character.charCount(c);
    }
    while (right && from < to) {
      int c = text.codePointBefore(to);
      if (!isStripped(c, set)) break;
      to -= Character.charCount(c);
    }
    m.work((long) (text.length() - to + from) * (set == null ? 1 : set.length()));
    return from == 0 && to == text.length() ? whole : Str.of(m, text.substring(from, to));
  }

  private static boolean isStripped(int c, @Nullable String set) {
    return set == null ? StrTests.isSpace(c) : set.indexOf(c) >= 0;
  }

  private static Value replace(Meter m, Value self, @Nullable Value[] a) {
    var whole = Attributes.whole(m, self);
    var text = whole.text(m);
    var old = Args.text(a[0], "replace() argument 1").text(m);
    var by = Args.text(a[1], "replace() argument 2").text(m);
    int most = Args.small(a[2], -1);
    if (most < 0) most = Integer.MAX_VALUE;
    if (old.isEmpty()) return between(m, text, by, most);
    int at = most == 0 ? -1 : Search.find(m, text, old, 0);
    if (at < 0) return whole;
    var out = new StringBuilder();
    int done = 0;
    for (int count = 0; at >= 0 && count < most; count++) {
      m.tick(1);
      m.charge(4L * (at - done + by.length()));
      m.work(at - done + by.length());
      out.append(text, done, at).append(by);
      done = at + old.length();
      at = Search.find(m, text, old, done);
    }
    m.charge(4L * (text.length() - done));
    return Str.of(m, out.append(text, done, text.length()).toString());
  }

  private static Value between(Meter m, String text, String by, int most) {
    var out = new StringBuilder();
    int count = 0;
    for (int at = 0; at <= text.length(); count++) {
      if (count < most) {
        m.tick(1);
        m.charge(4L * (by.length() + 1));
        m.work(by.length());
        out.append(by);
      }
      if (at == text.length()) break;
      int c = text.codePointAt(at);
      out.appendCodePoint(c);
      at += Character.charCount(c);
    }
    m.charge(2L * text.length());
    return Str.of(m, out.toString());
  }

  // --- joining and padding ---

  static Value join(Meter m, Str between, Value parts) {
    var items = parts instanceof ListValue list ? list : Iterate.list(m, parts);
    long chars = 0;
    for (int i = 0; i < items.size(); i++) {
      if (!(items.get(i) instanceof Str part)) {
        throw Raise.type(
            "sequence item "
                + i
                + ": expected str instance, "
                + items.get(i).typeName()
                + " found");
      }
      chars += part.chars() + (i == 0 ? 0L : between.chars());
    }
    m.tick(1 + (items.size() >> 4));
    m.charge(4 * chars);
    m.work(chars);
    if (chars > Integer.MAX_VALUE / 4) m.charge(Long.MAX_VALUE / 4);
    var out = new StringBuilder((int) chars);
    var mark = between.text(m);
    for (int i = 0; i < items.size(); i++) {
      if (i > 0) out.append(mark);
      out.append(((Str) items.get(i)).text(m));
    }
    return Str.of(m, out.toString());
  }

  private static void padding(List<Method> all) {
    all.add(new Method("ljust(width, fillchar=, /)", (m, self, a) -> pad(m, (Str) self, a, 0)));
    all.add(new Method("rjust(width, fillchar=, /)", (m, self, a) -> pad(m, (Str) self, a, 1)));
    all.add(new Method("center(width, fillchar=, /)", (m, self, a) -> pad(m, (Str) self, a, 2)));
    all.add(
        new Method(
            "zfill(width, /)", (m, self, a) -> zeros(m, (Str) self, Numbers.whole(need(a[0])))));
    all.add(
        new Method(
            "expandtabs(tabsize=)", (m, self, a) -> tabs(m, (Str) self, Args.small(a[0], 8))));
  }

  private static Value pad(Meter m, Str text, @Nullable Value[] a, int side) {
    long width = Numbers.whole(need(a[0]));
    var fill = a[1] == null ? Str.ofPoint(' ') : Args.text(a[1], "The fill character");
    if (fill.length() != 1)
      throw Raise.type("The fill character must be exactly one character long");
    long gap = width - text.length();
    if (gap <= 0) return text;
    m.charge(8 * width);
    m.work(width);
    long left = side == 0 ? 0 : side == 1 ? gap : gap / 2 + (gap & width & 1);
    var by = fill.text(m);
    return Str.of(m, by.repeat((int) left) + text.text(m) + by.repeat((int) (gap - left)));
  }

  private static Value zeros(Meter m, Str text, long width) {
    long gap = width - text.length();
    if (gap <= 0) return text;
    m.charge(8 * width);
    m.work(width);
    var chars = text.text(m);
    int head = chars.startsWith("-") || chars.startsWith("+") ? 1 : 0;
    return Str.of(m, chars.substring(0, head) + "0".repeat((int) gap) + chars.substring(head));
  }

  private static Value tabs(Meter m, Str text, int size) {
    var out = new StringBuilder();
    int column = 0;
    for (int c : text.text(m).codePoints().toArray()) {
      if (c == '\t') {
        int gap = size <= 0 ? 0 : size - column % size;
        m.charge(4L * gap);
        m.work(gap);
        out.repeat(" ", gap);
        column += gap;
      } else {
        out.appendCodePoint(c);
        column = c == '\n' || c == '\r' ? 0 : column + 1;
      }
    }
    m.charge(8L * text.chars());
    m.work(text.chars());
    return Str.of(m, out.toString());
  }

  private static Value translate(Meter m, Str text, Value table) {
    var out = new StringBuilder();
    if (!(table instanceof DictValue map))
      throw Raise.type("translate() needs a dict; see str.maketrans");
    for (int c : text.text(m).codePoints().toArray()) {
      m.tick(1);
      var found = map.table().get(m, Int.of(c));
      if (found == null) out.appendCodePoint(c);
      else if (found instanceof Str by) {
        m.charge(4L * by.chars());
        out.append(by.text(m));
      } else if (Numbers.isWhole(found)) out.appendCodePoint(point(found));
      else if (!(found instanceof None)) {
        throw Raise.type("character mapping must return integer, None or str");
      }
    }
    m.charge(4L * text.chars());
    return Str.of(m, out.toString());
  }

  /// A code point that is a character.
  static int point(Value value) {
    long c = Numbers.whole(value);
    if (c < 0 || c > 0x10FFFF) throw Raise.value("chr() arg not in range(0x110000)");
    if (c >= 0xD800 && c <= 0xDFFF)
      throw Raise.value("chr() of half a surrogate pair is no character here");
    return (int) c;
  }

  static long length(Value value) {
    return Items.length(value);
  }
}
