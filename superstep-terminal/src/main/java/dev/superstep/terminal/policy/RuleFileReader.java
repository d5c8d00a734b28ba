package dev.superstep.terminal.policy;

import dev.superstep.terminal.policy.InvalidRules.Problem;
import dev.superstep.terminal.shell.ShellScript;
import java.nio.file.Path;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.tomlj.Toml;
import org.tomlj.TomlArray;
import org.tomlj.TomlPosition;
import org.tomlj.TomlTable;

/// Reads a file of rules, with every problem in it, and runs the examples of its rules. For one
/// file.
final class RuleFileReader {
  private static final Set<String> KEYS =
      Set.of(
          "pattern",
          "options",
          "forbidden",
          "operands",
          "programs",
          "decision",
          "justification",
          "match",
          "not_match",
          "expires");
  private static final TomlPosition BEGINNING = TomlPosition.positionAt(1, 1);

  private final String file;
  private final Scope scope;
  private final List<Problem> problems = new ArrayList<>();
  private int examples;

  RuleFileReader(String file, Scope scope) {
    this.file = file;
    this.scope = scope;
  }

  List<Problem> problems() {
    return problems;
  }

  /// The examples that were compared with their rules.
  int examples() {
    return examples;
  }

  List<CommandRule> read(String text) {
    var toml = Toml.parse(text);
    toml.errors().forEach(e -> problem(e.position(), String.valueOf(e.getMessage())));
    if (toml.hasErrors()) return List.of();
    for (var key : toml.keySet()) {
      if (!key.equals("rule")) problem(position(toml, key), "unknown key `" + key + "`");
    }
    var rules = new ArrayList<CommandRule>();
    var tables = toml.get(List.of("rule"));
    if (tables == null) return rules;
    if (!(tables instanceof TomlArray array)) {
      problem(position(toml, "rule"), "rules begin with `[[rule]]`");
      return rules;
    }
    for (int i = 0; i < array.size(); i++) {
      if (array.get(i) instanceof TomlTable table) {
        var rule = rule(table, array.inputPositionOf(i));
        if (rule != null) rules.add(rule);
      } else {
        problem(array.inputPositionOf(i), "rules begin with `[[rule]]`");
      }
    }
    return rules;
  }

  private @Nullable CommandRule rule(TomlTable table, TomlPosition at) {
    int before = problems.size();
    for (var key : table.keySet()) {
      if (!KEYS.contains(key)) problem(position(table, key), "unknown key `" + key + "`");
    }
    var effect = effect(table, at);
    var words = words(table, at);
    var pattern =
        problems.size() > before
            ? null
            : new CommandPattern(
                words,
                options(table, "options"),
                options(table, "forbidden"),
                operands(table),
                programs(table));
    var justification = text(table, "justification");
    var until = until(table);
    if (pattern == null || problems.size() > before) return null;
    var origin = new CommandRule.Origin(scope, file, at.line());
    var rule = new CommandRule(pattern, effect, justification, until, origin);
    examples(table, "match", rule, true);
    examples(table, "not_match", rule, false);
    return rule;
  }

  private RuleEffect effect(TomlTable table, TomlPosition at) {
    var word = text(table, "decision");
    for (var effect : RuleEffect.values()) {
      if (!effect.word().equals(word)) continue;
      if (effect == RuleEffect.ALLOW && scope == Scope.PROJECT) {
        problem(position(table, "decision"), "the rules of a project cannot allow anything");
      }
      return effect;
    }
    var place = table.contains("decision") ? position(table, "decision") : at;
    problem(place, "`decision` must be \"allow\", \"confirm\" or \"deny\"");
    return RuleEffect.DENY;
  }

  private List<Set<String>> words(TomlTable table, TomlPosition at) {
    var words = new ArrayList<Set<String>>();
    var pattern = table.get(List.of("pattern"));
    if (pattern instanceof TomlArray array) {
      for (int i = 0; i < array.size(); i++) {
        var word = array.get(i);
        if (word instanceof String text && !text.isEmpty()) words.add(Set.of(text));
        else if (word instanceof TomlArray some && !some.isEmpty()) words.add(strings(some));
        else problem(array.inputPositionOf(i), "must be a word, or a list of words");
      }
    }
    if (words.isEmpty()) {
      problem(at, "`pattern` must be a list that begins with the name of a program");
    }
    return words;
  }

  private Set<String> options(TomlTable table, String key) {
    var options = list(table, key);
    for (var option : options) {
      if (!option.startsWith("-") && !option.equals(CommandPattern.ANY)) {
        problem(position(table, key), "`" + option + "` is no option: it must begin with `-`");
      }
    }
    return options;
  }

  private CommandPattern.Operands operands(TomlTable table) {
    if (!table.contains("operands")) return CommandPattern.Operands.WORKSPACE;
    return switch (text(table, "operands")) {
      case "none" -> CommandPattern.Operands.NONE;
      case "workspace" -> CommandPattern.Operands.WORKSPACE;
      case "any" -> CommandPattern.Operands.ANY;
      case String _ -> {
        var message = "`operands` must be \"none\", \"workspace\" or \"any\"";
        problem(position(table, "operands"), message);
        yield CommandPattern.Operands.NONE;
      }
    };
  }

  private Set<Path> programs(TomlTable table) {
    var programs = new LinkedHashSet<Path>();
    for (var program : list(table, "programs")) {
      var path = Path.of(program);
      if (path.isAbsolute() && path.normalize().equals(path)) programs.add(path);
      else problem(position(table, "programs"), "`" + program + "` is no absolute path");
    }
    return programs;
  }

  private @Nullable Instant until(TomlTable table) {
    var value = table.get(List.of("expires"));
    if (value == null) return null;
    if (value instanceof OffsetDateTime time) return time.toInstant();
    problem(position(table, "expires"), "`expires` must be a time such as 2027-01-31T00:00:00Z");
    return null;
  }

  private void examples(TomlTable table, String key, CommandRule rule, boolean isMatch) {
    var value = table.get(List.of(key));
    if (value == null) return;
    if (!(value instanceof TomlArray array)) {
      problem(position(table, key), "`" + key + "` must be a list of commands in quotes");
      return;
    }
    for (int i = 0; i < array.size(); i++) {
      if (!(array.get(i) instanceof String command)) {
        problem(array.inputPositionOf(i), "an example must be a command in quotes");
        continue;
      }
      examples++;
      if (RuleExamples.matches(rule, ShellScript.parse(command)) == isMatch) continue;
      problem(
          array.inputPositionOf(i),
          "the rule " + (isMatch ? "does not match `" : "matches `") + command + "`");
    }
  }

  private String text(TomlTable table, String key) {
    var value = table.get(List.of(key));
    if (value == null) return "";
    if (value instanceof String text) return text;
    problem(position(table, key), "`" + key + "` must be a text in quotes");
    return "";
  }

  private Set<String> list(TomlTable table, String key) {
    var value = table.get(List.of(key));
    if (value == null) return Set.of();
    if (value instanceof String text) return Set.of(text);
    if (value instanceof TomlArray array) return strings(array);
    problem(position(table, key), "`" + key + "` must be a list of texts in quotes");
    return Set.of();
  }

  private Set<String> strings(TomlArray array) {
    var strings = new LinkedHashSet<String>();
    for (int i = 0; i < array.size(); i++) {
      if (array.get(i) instanceof String text && !text.isEmpty()) strings.add(text);
      else problem(array.inputPositionOf(i), "must be a text in quotes");
    }
    return strings;
  }

  private static TomlPosition position(TomlTable table, String key) {
    var position = table.inputPositionOf(List.of(key));
    return position == null ? BEGINNING : position;
  }

  private void problem(@Nullable TomlPosition at, String message) {
    var place = at == null ? BEGINNING : at;
    problems.add(new Problem(place.line(), place.column(), message));
  }
}
