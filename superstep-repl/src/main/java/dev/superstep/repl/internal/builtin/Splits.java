package dev.superstep.repl.internal.builtin;

import dev.superstep.repl.internal.value.ListValue;
import dev.superstep.repl.internal.value.Meter;
import dev.superstep.repl.internal.value.Raise;
import dev.superstep.repl.internal.value.Search;
import dev.superstep.repl.internal.value.Str;
import dev.superstep.repl.internal.value.TupleValue;
import dev.superstep.repl.internal.value.Value;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;

/// Divides texts.
final class Splits {
  private Splits() {}

  private static void add(Meter m, ListValue into, String text, int from, int to) {
    m.tick(1);
    m.work(to - from);
    into.add(m, Str.of(m, text.substring(from, to)));
  }

  private static String mark(Meter m, Value mark) {
    var text = Args.text(mark, "must be str or None, not").text(m);
    if (text.isEmpty()) throw Raise.value("empty separator");
    return text;
  }

  static Value split(Meter m, Str whole, @Nullable Value by, int most) {
    var text = whole.text(m);
    var parts = ListValue.sized(m, 0);
    int left = most < 0 ? Integer.MAX_VALUE : most;
    if (Args.isNone(by) || by == null) {
      int at = 0;
      while (true) {
        while (at < text.length() && StrTests.isSpace(text.charAt(at))) at++;
        if (at == text.length()) break;
        int from = at;
        if (left-- == 0) {
          int to = text.length();
          while (StrTests.isSpace(text.charAt(to - 1))) to--;
          add(m, parts, text, from, to);
          break;
        }
        while (at < text.length() && !StrTests.isSpace(text.charAt(at))) at++;
        add(m, parts, text, from, at);
      }
      m.work(text.length());
      return parts;
    }
    var mark = mark(m, by);
    int from = 0;
    while (left-- > 0) {
      int at = Search.find(m, text, mark, from);
      if (at < 0) break;
      add(m, parts, text, from, at);
      from = at + mark.length();
    }
    add(m, parts, text, from, text.length());
    return parts;
  }

  static Value splitRight(Meter m, Str whole, @Nullable Value by, int most) {
    if (most < 0) return split(m, whole, by, most);
    var text = whole.text(m);
    var parts = new ArrayList<Value>();
    int left = most;
    int to = text.length();
    m.work(text.length());
    if (Args.isNone(by) || by == null) {
      while (true) {
        while (to > 0 && StrTests.isSpace(text.charAt(to - 1))) to--;
        if (to == 0) break;
        int from = to;
        if (left-- == 0) {
          from = 0;
          while (StrTests.isSpace(text.charAt(from))) from++;
          parts.add(piece(m, text, from, to));
          break;
        }
        while (from > 0 && !StrTests.isSpace(text.charAt(from - 1))) from--;
        parts.add(piece(m, text, from, to));
        to = from;
      }
    } else {
      var mark = mark(m, by);
      while (left-- > 0) {
        m.work(16L * Math.min(mark.length(), 64));
        int at = text.lastIndexOf(mark, to - mark.length());
        if (at < 0) break;
        parts.add(piece(m, text, at + mark.length(), to));
        to = at;
      }
      parts.add(piece(m, text, 0, to));
    }
    return new ListValue(m, parts.reversed().toArray(Value[]::new));
  }

  private static Str piece(Meter m, String text, int from, int to) {
    m.tick(1);
    m.charge(Value.PLACE);
    return Str.of(m, text.substring(from, to));
  }

  static Value lines(Meter m, Str whole, boolean keepsEnds) {
    var text = whole.text(m);
    var parts = ListValue.sized(m, 0);
    int from = 0;
    for (int at = 0; at < text.length(); ) {
      char c = text.charAt(at++);
      if (!isLineEnd(c)) continue;
      int end = at - 1;
      if (c == '\r' && at < text.length() && text.charAt(at) == '\n') at++;
      add(m, parts, text, from, keepsEnds ? at : end);
      from = at;
    }
    if (from < text.length()) add(m, parts, text, from, text.length());
    m.work(text.length());
    return parts;
  }

  private static boolean isLineEnd(char c) {
    return (c >= '\n' && c <= '\r')
        || (c >= 0x1C && c <= 0x1E)
        || c == 0x85
        || c == 0x2028
        || c == 0x2029;
  }

  static Value partition(Meter m, Str whole, Str by, boolean isLast) {
    var text = whole.text(m);
    var mark = mark(m, by);
    m.work(isLast ? text.length() : 0);
    int at = isLast ? text.lastIndexOf(mark) : Search.find(m, text, mark, 0);
    if (at < 0) {
      return isLast
          ? TupleValue.of(m, Str.EMPTY, Str.EMPTY, whole)
          : TupleValue.of(m, whole, Str.EMPTY, Str.EMPTY);
    }
    return TupleValue.of(
        m, Str.of(m, text.substring(0, at)), by, Str.of(m, text.substring(at + mark.length())));
  }
}
