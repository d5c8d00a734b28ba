package dev.superstep.mcp.config;

import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A text with places for variables of this process: `${NAME}`, and `${NAME:-other}` where another
/// text stands for one that is not set or empty. What is put in is not read for variables again.
record VariableText(String text) {
  private static final Pattern PLACE =
      Pattern.compile("\\$\\{([A-Za-z_][A-Za-z0-9_]{0,99})(?::-([^{}]*))?}");

  /// The most characters of a text once it is filled in: systems take no more in a word.
  private static final int FILLED_MAX = 100_000;

  /// Returns true if all that begins like a place is one.
  boolean isSound() {
    return !PLACE.matcher(text).replaceAll("").contains("${");
  }

  /// The names of its variables.
  SortedSet<String> names() {
    var names = new TreeSet<String>();
    var found = PLACE.matcher(text);
    while (found.find()) names.add(found.group(1));
    return names;
  }

  /// The text with the values in it.
  ///
  /// @throws InvalidMcpEntry if a variable is not set, or the text becomes too long
  String filled(String server, Function<String, @Nullable String> variables) {
    var filled = new StringBuilder();
    var found = PLACE.matcher(text);
    while (found.find()) {
      var value = value(server, found.group(1), found.group(2), variables);
      if (filled.length() + value.length() > FILLED_MAX) {
        throw new InvalidMcpEntry(
            server, "with its variables, a text has more than " + FILLED_MAX + " characters.");
      }
      found.appendReplacement(filled, Matcher.quoteReplacement(value));
    }
    return found.appendTail(filled).toString();
  }

  private static String value(
      String server,
      String name,
      @Nullable String other,
      Function<String, @Nullable String> variables) {
    var value = variables.apply(name);
    if (value != null && !(value.isEmpty() && other != null)) return value;
    if (other != null) return other;
    throw new InvalidMcpEntry(
        server, "the variable `" + name + "` is not set. Set it, or write `${" + name + ":-…}`.");
  }
}
