package dev.superstep.catalog;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/// Which names an entry stands for; see [ModelEntry#names] for how it is written. Immutable.
///
/// Regular expressions come with data, so only those are taken that cannot take long: few
/// repetitions without a fixed count, none of a group, no references back, on a short name.
record NameRule(List<Condition> conditions) {
  static final int NAME_MAX = 300;
  private static final String AND = " & ";
  private static final int PATTERN_MAX = 200;
  private static final int OPEN_REPETITIONS_MAX = 2;

  NameRule {
    conditions = List.copyOf(conditions);
  }

  /// A condition on a name.
  sealed interface Condition {
    record Equals(String text) implements Condition {}

    record StartsWith(String text) implements Condition {}

    record EndsWith(String text) implements Condition {}

    record Contains(String text) implements Condition {}

    record Matches(Pattern pattern) implements Condition {}
  }

  /// @throws IllegalArgumentException saying why it is no rule
  static NameRule parse(String text) {
    // Most are for one name, and there are thousands to be read when a catalogue is loaded.
    if (!text.contains(AND)) return new NameRule(List.of(condition(text)));
    return new NameRule(List.of(text.split(AND)).stream().map(NameRule::condition).toList());
  }

  private static Condition condition(String text) {
    if (text.isEmpty()) throw new IllegalArgumentException("it is empty");
    var rest = text.substring(1);
    var lower = rest.toLowerCase(Locale.ROOT);
    return switch (text.charAt(0)) {
      case '=' -> new Condition.Equals(lower);
      case '^' -> new Condition.StartsWith(lower);
      case '$' -> new Condition.EndsWith(lower);
      case '*' -> new Condition.Contains(lower);
      case '~' -> new Condition.Matches(pattern(rest));
      default ->
          throw new IllegalArgumentException(
              "it does not begin with one of `=`, `^`, `$`, `*`, `~`");
    };
  }

  private static Pattern pattern(String text) {
    var slow = slow(text);
    if (slow.isPresent()) throw new IllegalArgumentException(slow.get());
    try {
      return Pattern.compile(text);
    } catch (PatternSyntaxException e) {
      throw new IllegalArgumentException("it is no regular expression: " + e.getDescription(), e);
    }
  }

  /// Why a regular expression may take long, if it may.
  private static Optional<String> slow(String text) {
    if (text.length() > PATTERN_MAX) return Optional.of("it is longer than " + PATTERN_MAX);
    int open = 0;
    char before = 0;
    boolean inClass = false;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\\') {
        char escaped = i + 1 < text.length() ? text.charAt(i + 1) : 0;
        if ((escaped >= '1' && escaped <= '9') || escaped == 'k') {
          return Optional.of("it refers back to a group");
        }
        i++;
        before = 'x';
        continue;
      }
      if (inClass) {
        inClass = c != ']';
        before = 'x';
        continue;
      }
      if (c == '[') inClass = true;
      boolean repeats = "*+{".indexOf(c) >= 0 || (c == '?' && before != '(');
      if (repeats && before == ')') return Optional.of("it repeats a group");
      if (repeats && !isFixed(text, i)) open++;
      before = c;
    }
    return open > OPEN_REPETITIONS_MAX
        ? Optional.of("it has more than " + OPEN_REPETITIONS_MAX + " repetitions without a count")
        : Optional.empty();
  }

  private static boolean isFixed(String text, int at) {
    int end = text.indexOf('}', at);
    return text.charAt(at) == '{' && end > 0 && text.substring(at + 1, end).matches("\\d{1,2}");
  }

  boolean matches(String name) {
    if (name.length() > NAME_MAX) return false;
    var lower = name.toLowerCase(Locale.ROOT);
    for (var condition : conditions) if (!holds(condition, name, lower)) return false;
    return true;
  }

  private static boolean holds(Condition condition, String name, String lower) {
    return switch (condition) {
      case Condition.Equals(var text) -> lower.equals(text);
      case Condition.StartsWith(var text) -> lower.startsWith(text);
      case Condition.EndsWith(var text) -> lower.endsWith(text);
      case Condition.Contains(var text) -> lower.contains(text);
      case Condition.Matches(var pattern) -> pattern.matcher(name).find();
    };
  }

  /// The one name that this rule is for, if it is for one.
  Optional<String> name() {
    return conditions.size() == 1 && conditions.getFirst() instanceof Condition.Equals(var text)
        ? Optional.of(text)
        : Optional.empty();
  }
}
