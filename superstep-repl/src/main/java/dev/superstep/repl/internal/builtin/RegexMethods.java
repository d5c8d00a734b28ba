package dev.superstep.repl.internal.builtin;

import static dev.superstep.repl.internal.builtin.Args.need;

import com.google.re2j.Matcher;
import dev.superstep.repl.internal.value.Callable;
import dev.superstep.repl.internal.value.DictValue;
import dev.superstep.repl.internal.value.Groups;
import dev.superstep.repl.internal.value.Int;
import dev.superstep.repl.internal.value.Iter;
import dev.superstep.repl.internal.value.ListValue;
import dev.superstep.repl.internal.value.MatchValue;
import dev.superstep.repl.internal.value.Meter;
import dev.superstep.repl.internal.value.ModuleValue;
import dev.superstep.repl.internal.value.None;
import dev.superstep.repl.internal.value.PatternValue;
import dev.superstep.repl.internal.value.Raise;
import dev.superstep.repl.internal.value.Str;
import dev.superstep.repl.internal.value.TextValue;
import dev.superstep.repl.internal.value.TupleValue;
import dev.superstep.repl.internal.value.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The module `re`, and the methods of patterns and matches.
final class RegexMethods {
  private RegexMethods() {}

  /// Work on a text with a pattern; further arguments come third.
  private interface Use {
    Value apply(Meter m, PatternValue pattern, Str text, @Nullable Value[] more);
  }

  private record Entry(String name, String more, Use use) {}

  private static List<Entry> entries() {
    return List.of(
        new Entry("search", "", (m, p, t, a) -> orNone(Regex.find(m, p, t, 0))),
        new Entry("match", "", (m, p, t, a) -> matches(m, p, t, false)),
        new Entry("fullmatch", "", (m, p, t, a) -> matches(m, p, t, true)),
        new Entry("findall", "", (m, p, t, a) -> findAll(m, p, t)),
        new Entry("finditer", "", (m, p, t, a) -> new MatchIter(p, t)),
        new Entry("split", "maxsplit=", (m, p, t, a) -> split(m, p, t, Args.whole(a[0], 0))));
  }

  static ModuleValue module() {
    var members = new LinkedHashMap<String, Value>();
    for (var entry : entries()) {
      var more = entry.more.isEmpty() ? "" : entry.more + ", ";
      int at = entry.more.isEmpty() ? 2 : 3;
      members.put(
          entry.name,
          new Builtin(
              entry.name + "(pattern, string, " + more + "flags=)",
              (m, a) -> {
                var pattern = Regex.of(m, need(a[0]), Args.whole(a[at], 0));
                return entry.use.apply(m, pattern, subject(m, a[1]), new @Nullable Value[] {a[2]});
              }));
    }
    members.put(
        "sub",
        new Builtin(
            "sub(pattern, repl, string, count=, flags=)",
            (m, a) ->
                sub(
                    m,
                    Regex.of(m, need(a[0]), Args.whole(a[4], 0)),
                    new @Nullable Value[] {a[1], a[2], a[3]},
                    false)));
    members.put(
        "subn",
        new Builtin(
            "subn(pattern, repl, string, count=, flags=)",
            (m, a) ->
                sub(
                    m,
                    Regex.of(m, need(a[0]), Args.whole(a[4], 0)),
                    new @Nullable Value[] {a[1], a[2], a[3]},
                    true)));
    members.put(
        "compile",
        new Builtin(
            "compile(pattern, flags=)", (m, a) -> Regex.of(m, need(a[0]), Args.whole(a[1], 0))));
    members.put(
        "escape",
        new Builtin("escape(pattern)", (m, a) -> escape(m, Args.text(a[0], "pattern").text(m))));
    members.put("error", dev.superstep.repl.internal.value.ErrorType.VALUE);
    for (var flag : List.of("IGNORECASE", "I")) members.put(flag, Int.of(Regex.IGNORE_CASE));
    for (var flag : List.of("MULTILINE", "M")) members.put(flag, Int.of(Regex.MULTILINE));
    for (var flag : List.of("DOTALL", "S")) members.put(flag, Int.of(Regex.DOT_ALL));
    return new ModuleValue("re", members);
  }

  static List<Method> ofPatterns() {
    var all = new ArrayList<Method>();
    for (var entry : entries()) {
      var more = entry.more.isEmpty() ? "" : ", " + entry.more;
      all.add(
          new Method(
              entry.name + "(string" + more + ")",
              (m, self, a) -> {
                var rest = new @Nullable Value[] {a.length > 1 ? a[1] : null};
                return entry.use.apply(m, (PatternValue) self, subject(m, a[0]), rest);
              }));
    }
    all.add(
        new Method(
            "sub(repl, string, count=)", (m, self, a) -> sub(m, (PatternValue) self, a, false)));
    all.add(
        new Method(
            "subn(repl, string, count=)", (m, self, a) -> sub(m, (PatternValue) self, a, true)));
    return all;
  }

  private static Str subject(Meter m, @Nullable Value value) {
    if (value instanceof TextValue || value instanceof Str) return Attributes.whole(m, value);
    throw Raise.type("expected string or bytes-like object, got '" + need(value).typeName() + "'");
  }

  private static Value orNone(@Nullable Value value) {
    return value == null ? None.NONE : value;
  }

  private static Value matches(Meter m, PatternValue pattern, Str text, boolean isWhole) {
    var matcher = Regex.matcher(m, pattern, text.text(m));
    boolean found = isWhole ? matcher.matches() : matcher.lookingAt();
    return found ? Regex.match(m, pattern, text, matcher) : None.NONE;
  }

  private static final class MatchIter extends Iter {
    private final PatternValue pattern;
    private final Str text;
    private @Nullable Matcher matcher;

    MatchIter(PatternValue pattern, Str text) {
      this.pattern = pattern;
      this.text = text;
    }

    @Override
    public @Nullable Value next(Meter m) {
      var at = matcher;
      if (at == null) {
        at = Regex.matcher(m, pattern, text.text(m));
        matcher = at;
      }
      m.tick(1);
      return at.find() ? Regex.match(m, pattern, text, at) : null;
    }

    @Override
    public Object[] keeps() {
      return new Object[] {pattern, text};
    }

    @Override
    public String typeName() {
      return "callable_iterator";
    }
  }

  private static Value findAll(Meter m, PatternValue pattern, Str text) {
    var all = ListValue.sized(m, 0);
    var from = new MatchIter(pattern, text);
    for (var next = from.next(m); next != null; next = from.next(m)) {
      var match = (MatchValue) next;
      if (match.groups() == 0) all.add(m, Groups.text(m, match, 0));
      else if (match.groups() == 1) all.add(m, orEmpty(Groups.text(m, match, 1)));
      else {
        var groups = new Value[match.groups()];
        for (int i = 0; i < groups.length; i++) groups[i] = orEmpty(Groups.text(m, match, i + 1));
        all.add(m, TupleValue.of(m, groups));
      }
    }
    return all;
  }

  private static Value orEmpty(Value value) {
    return value instanceof None ? Str.EMPTY : value;
  }

  private static Value split(Meter m, PatternValue pattern, Str text, long most) {
    var all = ListValue.sized(m, 0);
    var chars = text.text(m);
    var from = new MatchIter(pattern, text);
    int done = 0;
    long left = most <= 0 ? Long.MAX_VALUE : most;
    for (var next = from.next(m); next != null && left-- > 0; next = from.next(m)) {
      var match = (MatchValue) next;
      all.add(m, Str.of(m, chars.substring(done, match.start(0))));
      for (int i = 1; i <= match.groups(); i++) all.add(m, Groups.text(m, match, i));
      done = match.end(0);
    }
    all.add(m, Str.of(m, chars.substring(done)));
    return all;
  }

  private static Value sub(Meter m, PatternValue pattern, @Nullable Value[] a, boolean withCount) {
    var text = subject(m, a[1]);
    var by = need(a[0]);
    var chars = text.text(m);
    long left = Args.whole(a[2], 0);
    if (left <= 0) left = Long.MAX_VALUE;
    var out = new StringBuilder();
    var from = new MatchIter(pattern, text);
    int done = 0;
    long count = 0;
    for (var next = count < left ? from.next(m) : null;
        next != null;
        next = count < left ? from.next(m) : null) {
      var match = (MatchValue) next;
      var instead =
          by instanceof Callable f
              ? called(m, f, match)
              : expand(m, match, Args.text(by, "repl").text(m));
      m.charge(4L * (match.start(0) - done + instead.length()));
      m.work(match.start(0) - done + instead.length());
      out.append(chars, done, match.start(0)).append(instead);
      done = match.end(0);
      count++;
    }
    m.charge(4L * (chars.length() - done));
    var result = Str.of(m, out.append(chars, done, chars.length()).toString());
    return withCount ? TupleValue.of(m, result, Int.of(count)) : result;
  }

  private static String called(Meter m, Callable function, MatchValue match) {
    return Args.text(function.call(m, match), "the result of repl").text(m);
  }

  /// A replacement with `\1`, `\g<1>` and `\g<name>` filled in.
  private static String expand(Meter m, MatchValue match, String by) {
    if (by.indexOf('\\') < 0) return by;
    var out = new StringBuilder();
    for (int i = 0; i < by.length(); i++) {
      char c = by.charAt(i);
      if (c != '\\' || i + 1 == by.length()) {
        out.append(c);
        continue;
      }
      char next = by.charAt(++i);
      if (next >= '0' && next <= '9') {
        int end = i + 1;
        if (end < by.length() && Character.isDigit(by.charAt(end))) end++;
        append(m, out, Groups.get(m, match, Int.of(Integer.parseInt(by.substring(i, end)))));
        i = end - 1;
      } else if (next == 'g' && by.startsWith("<", i + 1) && by.indexOf('>', i) > 0) {
        int end = by.indexOf('>', i);
        var name = by.substring(i + 2, end);
        boolean isNumber =
            !name.isEmpty() && name.length() < 6 && name.chars().allMatch(Character::isDigit);
        append(
            m,
            out,
            Groups.get(m, match, isNumber ? Int.of(Integer.parseInt(name)) : new Str(name)));
        i = end;
      } else {
        int known = "\\ntrabfv".indexOf(next);
        if (known < 0) throw Raise.value("bad escape \\" + next);
        out.append("\\\n\t\r\u0007\b\f\u000B".charAt(known));
      }
    }
    return out.toString();
  }

  private static void append(Meter m, StringBuilder out, Value group) {
    if (group instanceof Str text) {
      m.charge(2L * text.chars());
      out.append(text.text(m));
    }
  }

  private static Value escape(Meter m, String text) {
    m.charge(4L * text.length());
    var out = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if ("()[]{}?*+-|^$\\.&~# \t\n\r\u000B\f".indexOf(c) >= 0) out.append('\\');
      out.append(c);
    }
    return Str.of(m, out.toString());
  }

  // --- matches ---

  static List<Method> ofMatches() {
    return List.of(
        new Method(
            "group(*groups)", (m, self, a) -> group(m, (MatchValue) self, (TupleValue) need(a[0]))),
        new Method(
            "groups(default=)",
            (m, self, a) -> {
              var match = (MatchValue) self;
              var all = new Value[match.groups()];
              for (int i = 0; i < all.length; i++)
                all[i] = orPreset(Groups.text(m, match, i + 1), a[0]);
              return TupleValue.of(m, all);
            }),
        new Method(
            "groupdict(default=)",
            (m, self, a) -> {
              var match = (MatchValue) self;
              var all = new DictValue(m);
              match.pattern().pattern().namedGroups().entrySet().stream()
                  .sorted(Map.Entry.comparingByValue())
                  .forEach(e ->
                      all.table()
                          .put(
                              m,
                              new Str(e.getKey()),
                              orPreset(Groups.text(m, match, e.getValue()), a[0])));
              return all;
            }),
        new Method(
            "start(group=, /)", (m, self, a) -> Int.of(bound(m, (MatchValue) self, a[0], true))),
        new Method(
            "end(group=, /)", (m, self, a) -> Int.of(bound(m, (MatchValue) self, a[0], false))),
        new Method(
            "span(group=, /)",
            (m, self, a) -> {
              var match = (MatchValue) self;
              return TupleValue.of(
                  m, Int.of(bound(m, match, a[0], true)), Int.of(bound(m, match, a[0], false)));
            }));
  }

  private static Value orPreset(Value found, @Nullable Value preset) {
    return found instanceof None && preset != null ? preset : found;
  }

  private static Value group(Meter m, MatchValue match, TupleValue wanted) {
    if (wanted.size() == 0) return Groups.text(m, match, 0);
    if (wanted.size() == 1) return Groups.get(m, match, wanted.get(0));
    var all = new Value[wanted.size()];
    for (int i = 0; i < all.length; i++) all[i] = Groups.get(m, match, wanted.get(i));
    return TupleValue.of(m, all);
  }

  private static long bound(Meter m, MatchValue match, @Nullable Value group, boolean isStart) {
    int number = group == null ? 0 : Groups.number(m, match, group);
    int offset = isStart ? match.start(number) : match.end(number);
    return offset < 0 ? -1 : match.text().point(m, offset);
  }
}
