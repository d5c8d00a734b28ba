package dev.superstep.language.blueprint;

import dev.superstep.language.rag.Durations;
import dev.superstep.language.rag.StringLiterals;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Writes the small parts of a source: names, strings, values.
final class Written {
  private static final Pattern BARE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
  private static final int LINE_MAX = 80;

  private Written() {}

  /// A name, in quotes if it needs them.
  static String name(String name) {
    return BARE.matcher(name).matches() ? name : StringLiterals.write(name);
  }

  static String names(List<String> names) {
    return names.stream().map(Written::name).collect(Collectors.joining(", ", "[", "]"));
  }

  /// A target, or several in brackets.
  static String targets(List<String> names) {
    return names.size() == 1 ? name(names.getFirst()) : names(names);
  }

  static String strings(List<String> texts) {
    return texts.stream().map(StringLiterals::write).collect(Collectors.joining(", ", "[", "]"));
  }

  static String type(TypeName type) {
    return type.element()
        .map(inner -> "list<" + type(inner) + ">")
        .orElseGet(() ->
            BARE.matcher(type.name()).matches() && !type.name().equals("list")
                ? type.name()
                : StringLiterals.write(type.name()));
  }

  static String literal(Literal literal) {
    return switch (literal) {
      case Literal.Text(var text) -> StringLiterals.write(text);
      case Literal.Decimal(var number) -> number.toPlainString();
      case Literal.Bool(var bool) -> String.valueOf(bool);
      case Literal.Null() -> "null";
      case Literal.Word(var word) -> word;
      case Literal.Time(var time) -> Durations.write(time);
      case Literal.Many(var values) ->
          values.stream().map(Written::literal).collect(Collectors.joining(", ", "[", "]"));
      case Literal.Fields(var values) -> object(values);
    };
  }

  /// Keys and values in braces, in one line.
  static String object(Map<String, Literal> values) {
    if (values.isEmpty()) return "{}";
    return values.entrySet().stream()
        .map(entry -> name(entry.getKey()) + ": " + literal(entry.getValue()))
        .collect(Collectors.joining("  ", "{ ", " }"));
  }

  static boolean fits(String line) {
    return line.length() <= LINE_MAX && line.indexOf('\n') < 0;
  }
}
