package dev.superstep.repl.internal.builtin;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.superstep.repl.internal.value.MatchValue;
import dev.superstep.repl.internal.value.Meter;
import dev.superstep.repl.internal.value.PatternValue;
import dev.superstep.repl.internal.value.Raise;
import dev.superstep.repl.internal.value.Str;
import dev.superstep.repl.internal.value.Value;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// Regular expressions: RE2, which takes time in proportion to the text. The size of what a pattern
/// compiles to is bounded before it is compiled.
final class Regex {
  private static final int CHARS_MAX = 4_096;
  private static final int SIZE_MAX = 10_000;

  private Regex() {}

  static final int IGNORE_CASE = 2;
  static final int MULTILINE = 8;
  static final int DOT_ALL = 16;

  /// A compiled pattern.
  static PatternValue of(Meter m, Value pattern, long flags) {
    if (pattern instanceof PatternValue made) return made;
    var text = Args.text(pattern, "first argument").text(m);
    int size = size(text);
    m.tick(16 + size);
    m.charge(1_024 + 256L * size);
    int mode = 0;
    if ((flags & IGNORE_CASE) != 0) mode |= Pattern.CASE_INSENSITIVE;
    if ((flags & MULTILINE) != 0) mode |= Pattern.MULTILINE;
    if ((flags & DOT_ALL) != 0) mode |= Pattern.DOTALL;
    if ((flags & ~(IGNORE_CASE | MULTILINE | DOT_ALL | 256 | 32)) != 0) {
      throw Raise.value("unknown flags; there are re.IGNORECASE, re.MULTILINE and re.DOTALL");
    }
    try {
      return new PatternValue(text, Pattern.compile(unicode(text), mode), size);
    } catch (PatternSyntaxException e) {
      throw Raise.value("bad pattern: " + reason(text, e));
    }
  }

  /// The pattern with `\w`, `\d` and their opposites meaning all letters and digits, as in Python.
  private static String unicode(String pattern) {
    var out = new StringBuilder();
    boolean inClass = false;
    for (int i = 0; i < pattern.length(); i++) {
      char c = pattern.charAt(i);
      if (c == '\\' && i + 1 < pattern.length()) {
        char next = pattern.charAt(++i);
        out.append(
            switch (next) {
              case 'w' -> inClass ? "\\p{L}\\p{N}_" : "[\\p{L}\\p{N}_]";
              case 'd' -> "\\p{Nd}";
              case 'D' -> "\\P{Nd}";
              case 'W' -> inClass ? "\\W" : "[^\\p{L}\\p{N}_]";
              case 'Z' -> "\\z";
              default -> "\\" + next;
            });
        continue;
      }
      if (c == '[' && !inClass) {
        inClass = true;
        out.append(c);
        if (pattern.startsWith("^", i + 1)) out.append(pattern.charAt(++i));
        if (pattern.startsWith("]", i + 1)) out.append('\\').append(pattern.charAt(++i));
        continue;
      }
      if (c == ']') inClass = false;
      out.append(c);
    }
    return out.toString();
  }

  private static String reason(String text, PatternSyntaxException e) {
    if (text.contains("(?=")
        || text.contains("(?!")
        || text.contains("(?<=")
        || text.contains("(?<!")) {
      return "lookahead and lookbehind are not supported (RE2 syntax)";
    }
    if (text.matches("(?s).*\\\\[1-9].*")) return "back references are not supported (RE2 syntax)";
    return String.valueOf(e.getDescription()) + " (RE2 syntax)";
  }

  /// An upper bound of the steps that a pattern compiles to: counted repetitions multiply.
  static int size(String pattern) {
    if (pattern.length() > CHARS_MAX) {
      throw Raise.value("a pattern has at most " + CHARS_MAX + " characters");
    }
    var open = new ArrayDeque<Long>();
    long sum = 1;
    long last = 1;
    for (int i = 0; i < pattern.length(); i++) {
      char c = pattern.charAt(i);
      if (c == '\\') {
        i++;
        last = 4;
        sum += last;
      } else if (c == '(') {
        open.push(sum);
        sum = 2;
      } else if (c == ')' && !open.isEmpty()) {
        last = sum;
        sum = open.pop() + last;
      } else if (c == '{') {
        long times = repetitions(pattern, i + 1);
        if (times > 1) sum += last * (times - 1);
        last *= Math.max(1, times);
      } else {
        if ("*+?|".indexOf(c) < 0) last = 2;
        sum += 2;
      }
      if (sum > SIZE_MAX || last > SIZE_MAX) {
        throw Raise.value("the pattern is too large: its repetitions multiply");
      }
    }
    long all = sum;
    for (long outer : open) all += outer;
    return (int) Math.min(SIZE_MAX, all);
  }

  private static long repetitions(String pattern, int from) {
    int end = pattern.indexOf('}', from);
    if (end < 0 || end - from > 12) return 1;
    long most = 1;
    for (var part : pattern.substring(from, end).split(",", -1)) {
      if (!part.isEmpty()
          && part.chars().allMatch(c -> c >= '0' && c <= '9')
          && part.length() < 8) {
        most = Math.max(most, Long.parseLong(part));
      }
    }
    return most + 1;
  }

  /// A matcher over a text that counts its work.
  static Matcher matcher(Meter m, PatternValue pattern, String text) {
    m.tick(4);
    // A step looks at each instruction that is alive, and copies the groups of those that go on.
    long weight = 64 + 4L * pattern.weight() * (1 + pattern.pattern().groupCount());
    return pattern.pattern().matcher(new MeteredText(m, text, weight));
  }

  /// The match that a matcher found.
  static MatchValue match(Meter m, PatternValue pattern, Str text, Matcher found) {
    int groups = found.groupCount() + 1;
    m.charge(96 + 8L * groups);
    var bounds = new int[2 * groups];
    for (int i = 0; i < groups; i++) {
      bounds[2 * i] = found.start(i);
      bounds[2 * i + 1] = found.end(i);
    }
    return new MatchValue(pattern, text, bounds);
  }

  /// The next match at or after an offset, or `null`.
  static @Nullable MatchValue find(Meter m, PatternValue pattern, Str text, int from) {
    var chars = text.text(m);
    if (from > chars.length()) return null;
    var matcher = matcher(m, pattern, chars);
    return matcher.find(from) ? match(m, pattern, text, matcher) : null;
  }
}
