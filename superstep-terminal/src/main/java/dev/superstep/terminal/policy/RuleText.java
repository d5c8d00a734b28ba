package dev.superstep.terminal.policy;

import dev.superstep.file.PrivateFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/// Writes rules as they stand in files.
public final class RuleText {
  private RuleText() {}

  /// The text of a rule.
  ///
  /// @param example a command that it matches
  static String of(CommandRule rule, String example) {
    var pattern = rule.pattern();
    var text = new StringBuilder("[[rule]]\n");
    var words = pattern.words().stream().map(RuleText::word).collect(Collectors.joining(", "));
    text.append("pattern = [").append(words).append("]\n");
    if (!pattern.options().isEmpty()) list(text, "options", pattern.options());
    if (!pattern.forbidden().isEmpty()) list(text, "forbidden", pattern.forbidden());
    text.append(
        "operands = \"%s\"%n".formatted(pattern.operands().name().toLowerCase(Locale.ROOT)));
    if (!pattern.programs().isEmpty()) {
      list(text, "programs", pattern.programs().stream().map(Path::toString).toList());
    }
    text.append("decision = ").append(quoted(rule.effect().word())).append('\n');
    text.append("justification = ").append(quoted(rule.justification())).append('\n');
    rule.expiry().ifPresent(time -> text.append("expires = ").append(time).append('\n'));
    text.append("match = [").append(quoted(example)).append("]\n");
    return text.toString();
  }

  /// Adds the text of a rule to a file of rules, which is made if it is missing, and reads all of
  /// it, so that nothing is added that would make the file invalid.
  ///
  /// @return the rules of the file from now on
  /// @throws InvalidRules if the file would be invalid; it is then left as it was
  public static CommandRules add(Path file, Scope scope, String toml) {
    try {
      var before = Files.exists(file) ? Files.readString(file) : "";
      var apart = before.isEmpty() || before.endsWith("\n\n") ? "" : "\n";
      var after = before + apart + toml;
      var rules = CommandRules.parse(after, file.toString(), scope);
      PrivateFiles.createDirectories(file.toAbsolutePath().getParent());
      PrivateFiles.replace(file, after);
      return rules;
    } catch (IOException e) {
      throw new UncheckedIOException("the rule cannot be added to " + file, e);
    }
  }

  private static String word(Set<String> some) {
    if (some.size() == 1) return quoted(some.iterator().next());
    return "["
        + some.stream().sorted().map(RuleText::quoted).collect(Collectors.joining(", "))
        + "]";
  }

  private static void list(StringBuilder text, String key, Collection<String> values) {
    var all = values.stream().sorted().map(RuleText::quoted).collect(Collectors.joining(", "));
    text.append(key).append(" = [").append(all).append("]\n");
  }

  private static String quoted(String value) {
    var text = new StringBuilder("\"");
    value
        .codePoints()
        .forEach(c -> {
          if (c == '"' || c == '\\') text.append('\\').appendCodePoint(c);
          else if (c < 0x20 || c == 0x7F) text.append("\\u%04X".formatted(c));
          else text.appendCodePoint(c);
        });
    return text.append('"').toString();
  }
}
