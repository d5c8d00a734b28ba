package dev.superstep.repl.internal.builtin;

import static dev.superstep.repl.internal.builtin.Args.need;

import dev.superstep.repl.host.TextSource;
import dev.superstep.repl.internal.value.Int;
import dev.superstep.repl.internal.value.ListValue;
import dev.superstep.repl.internal.value.Meter;
import dev.superstep.repl.internal.value.ModuleValue;
import dev.superstep.repl.internal.value.None;
import dev.superstep.repl.internal.value.Raise;
import dev.superstep.repl.internal.value.Search;
import dev.superstep.repl.internal.value.Str;
import dev.superstep.repl.internal.value.TextValue;
import dev.superstep.repl.internal.value.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The methods of large texts, and the module `text`, which has them for all texts.
final class TextMethods {
  private TextMethods() {}

  private record Entry(String name, String parameters, Method.Body body) {}

  private static List<Entry> entries() {
    return List.of(
        new Entry("lines", "", (m, self, a) -> new Lines(view(m, self))),
        new Entry("chunks", "size, by=, overlap=", TextMethods::chunks),
        new Entry(
            "grep",
            "pattern, before=, after=, limit=",
            (m, self, a) -> Grep.run(m, view(m, self), a)),
        new Entry("head", "n=", (m, self, a) -> head(m, view(m, self), Args.whole(a[0], 1_000))),
        new Entry("tail", "n=", (m, self, a) -> tail(m, view(m, self), Args.whole(a[0], 1_000))),
        new Entry("count", "sub, start=, end=", TextMethods::count),
        new Entry("find", "sub, start=, end=", (m, self, a) -> find(m, view(m, self), a)));
  }

  static List<Method> all() {
    var all = new ArrayList<Method>();
    for (var entry : entries())
      all.add(new Method(entry.name + "(" + entry.parameters + ")", entry.body));
    return all;
  }

  static ModuleValue module() {
    var members = new LinkedHashMap<String, Value>();
    for (var entry : entries()) {
      members.put(
          entry.name,
          new Builtin(
              entry.name + "(text, /, " + entry.parameters + ")",
              (m, a) ->
                  entry.body.call(m, need(a[0]), java.util.Arrays.copyOfRange(a, 1, a.length))));
    }
    members.put(
        "words",
        new Builtin(
            "words(text, /)",
            (m, a) -> Splits.split(m, Attributes.whole(m, need(a[0])), null, -1)));
    return new ModuleValue("text", members);
  }

  /// A text of any size as a view.
  static TextValue view(Meter m, Value value) {
    if (value instanceof TextValue text) return text;
    var text = Args.text(value, "text");
    m.charge(64 + (text.length() == text.chars() ? 0 : text.chars()));
    return new TextValue(TextSource.of(text.text(m)), 0, text.length());
  }

  private static Value head(Meter m, TextValue text, long n) {
    return Str.of(m, text.read(m, 0, Math.clamp(n, 0, text.length())));
  }

  private static Value tail(Meter m, TextValue text, long n) {
    return Str.of(m, text.read(m, text.length() - Math.clamp(n, 0, text.length()), text.length()));
  }

  private static Value find(Meter m, TextValue text, @Nullable Value[] a) {
    long from = Args.place(a[1], 0, text.length());
    long to = Math.min(text.length(), Args.place(a[2], text.length(), text.length()));
    return Int.of(Search.find(m, text, Args.text(a[0], "must be str, not").text(m), from, to));
  }

  private static Value count(Meter m, Value self, @Nullable Value[] a) {
    var text = view(m, self);
    var part = Args.text(a[0], "must be str, not");
    long at = Args.place(a[1], 0, text.length());
    long to = Math.min(text.length(), Args.place(a[2], text.length(), text.length()));
    if (part.length() == 0) return Int.of(at > to ? 0 : to - at + 1);
    // Counts inside of windows, which is far quicker than a search for each.
    var chars = part.text(m);
    if (part.length() > TextValue.WINDOW / 2) throw Raise.value("the text to count is too long");
    long count = 0;
    while (at + part.length() <= to) {
      long end = Math.min(to, at + TextValue.WINDOW);
      var window = text.piece(m, at, end);
      int done = 0;
      for (int found = window.indexOf(chars); found >= 0; found = window.indexOf(chars, done)) {
        count++;
        m.tick(1);
        done = found + chars.length();
      }
      if (end == to) break;
      long read = at + window.codePointCount(0, done);
      at = Math.max(read, end - part.length() + 1);
    }
    return Int.of(count);
  }

  private static Value chunks(Meter m, Value self, @Nullable Value[] a) {
    var text = view(m, self);
    long size = Args.whole(a[0], 0);
    long overlap = Args.whole(a[2], 0);
    var by = a[1] == null ? "chars" : Args.text(a[1], "by").text(m);
    if (size <= 0) throw Raise.value("size must be more than 0");
    if (overlap < 0 || overlap >= size)
      throw Raise.value("overlap must be from 0 to less than size");
    return switch (by) {
      case "chars" -> chars(m, text, size, size - overlap);
      case "lines" -> lines(m, text, size, overlap);
      default -> throw Raise.value("by must be 'chars' or 'lines', was '" + by + "'");
    };
  }

  private static Value chars(Meter m, TextValue text, long size, long step) {
    var all = ListValue.sized(m, 0);
    for (long at = 0; at < text.length(); at += step) {
      m.tick(1);
      long end = Math.min(text.length(), at + size);
      all.add(m, text.view(m, at, end));
      if (end == text.length()) break;
    }
    return all;
  }

  private static Value lines(Meter m, TextValue text, long size, long overlap) {
    var starts = new ArrayList<Long>();
    var lines = new Lines(text);
    while (lines.advance(m)) {
      m.charge(24);
      starts.add(lines.start());
    }
    var all = ListValue.sized(m, 0);
    for (long at = 0; at < starts.size(); at += size - overlap) {
      m.tick(1);
      boolean isLast = at + size >= starts.size();
      long end = isLast ? text.length() : starts.get((int) (at + size));
      all.add(m, text.view(m, starts.get((int) at), end));
      if (isLast) break;
    }
    return all;
  }

  static Value none() {
    return None.NONE;
  }
}
