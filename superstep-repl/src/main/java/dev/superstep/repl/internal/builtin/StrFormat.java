package dev.superstep.repl.internal.builtin;

import dev.superstep.repl.internal.value.DictValue;
import dev.superstep.repl.internal.value.FormatSpec;
import dev.superstep.repl.internal.value.Int;
import dev.superstep.repl.internal.value.Items;
import dev.superstep.repl.internal.value.Meter;
import dev.superstep.repl.internal.value.Raise;
import dev.superstep.repl.internal.value.Repr;
import dev.superstep.repl.internal.value.Str;
import dev.superstep.repl.internal.value.TupleValue;
import dev.superstep.repl.internal.value.Value;

/// `str.format`: fields by number or name, with items but without attributes.
final class StrFormat {
  private final Meter m;
  private final TupleValue args;
  private final DictValue named;
  private int next;

  private StrFormat(Meter m, TupleValue args, DictValue named) {
    this.m = m;
    this.args = args;
    this.named = named;
  }

  static Value format(Meter m, Str text, TupleValue args, DictValue named) {
    return Str.of(m, new StrFormat(m, args, named).run(text.text(m), 0));
  }

  private String run(String text, int depth) {
    if (depth > 2) throw Raise.value("Max string recursion exceeded");
    var out = new StringBuilder();
    int at = 0;
    m.work(text.length());
    while (at < text.length()) {
      char c = text.charAt(at);
      if ((c == '{' || c == '}') && at + 1 < text.length() && text.charAt(at + 1) == c) {
        out.append(c);
        at += 2;
      } else if (c == '}') {
        throw Raise.value("Single '}' encountered in format string");
      } else if (c == '{') {
        int end = end(text, at + 1);
        var shown = field(text.substring(at + 1, end), depth);
        m.charge(4L * shown.length() + 16);
        m.tick(1);
        out.append(shown);
        at = end + 1;
      } else {
        out.append(c);
        at++;
      }
    }
    m.charge(4L * text.length());
    return out.toString();
  }

  private static int end(String text, int from) {
    int open = 0;
    for (int at = from; at < text.length(); at++) {
      if (text.charAt(at) == '{') open++;
      if (text.charAt(at) == '}' && open-- == 0) return at;
    }
    throw Raise.value(
        from == text.length()
            ? "Single '{' encountered in format string"
            : "expected '}' before end of string");
  }

  private String field(String field, int depth) {
    int colon = field.indexOf(':');
    int bracket = field.indexOf('[');
    if (bracket >= 0 && bracket < colon)
      colon = field.indexOf(':', Math.max(bracket, field.indexOf(']')));
    var spec = colon < 0 ? "" : run(field.substring(colon + 1), depth + 1);
    var head = colon < 0 ? field : field.substring(0, colon);
    int mark = head.lastIndexOf('!');
    var name = mark < 0 ? head : head.substring(0, mark);
    var value = value(name);
    if (mark >= 0) {
      value =
          switch (head.substring(mark + 1)) {
            case "r", "a" -> Str.of(m, Repr.repr(m, value));
            case "s" -> Str.of(m, Repr.str(m, value));
            default ->
                throw Raise.value("Unknown conversion specifier " + head.substring(mark + 1));
          };
    }
    return FormatSpec.format(m, value, spec);
  }

  private Value value(String name) {
    int end = 0;
    while (end < name.length() && name.charAt(end) != '.' && name.charAt(end) != '[') end++;
    var value = first(name.substring(0, end));
    while (end < name.length()) {
      if (name.charAt(end) == '.') {
        throw Raise.value("attributes cannot be reached from a format; use an f-string");
      }
      int close = name.indexOf(']', end);
      if (name.charAt(end) != '[' || close < 0) throw Raise.value("Missing ']' in format string");
      var key = name.substring(end + 1, close);
      value = Items.get(m, value, isNumber(key) ? Int.of(Long.parseLong(key)) : new Str(key));
      end = close + 1;
    }
    return value;
  }

  private static boolean isNumber(String text) {
    return !text.isEmpty()
        && text.length() < 10
        && text.chars().allMatch(c -> c >= '0' && c <= '9');
  }

  private Value first(String name) {
    if (name.isEmpty()) {
      if (next < 0) {
        throw Raise.value(
            "cannot switch from manual field specification to automatic field numbering");
      }
      return argument(next++);
    }
    if (!isNumber(name)) {
      var found = named.table().get(m, new Str(name));
      if (found == null) throw Raise.key(new Str(name));
      return found;
    }
    if (next > 0) {
      throw Raise.value(
          "cannot switch from automatic field numbering to manual field specification");
    }
    next = -1;
    return argument(Integer.parseInt(name));
  }

  private Value argument(int index) {
    if (index >= args.size()) {
      throw Raise.index("Replacement index " + index + " out of range for positional args tuple");
    }
    return args.get(index);
  }
}
