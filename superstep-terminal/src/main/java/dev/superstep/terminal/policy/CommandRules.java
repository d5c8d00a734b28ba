package dev.superstep.terminal.policy;

import dev.superstep.terminal.policy.InvalidRules.Problem;
import dev.superstep.terminal.risk.Assessment;
import dev.superstep.terminal.shell.ShellScript;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Rules about commands, and the decisions that they make together with the danger of a command:
/// the strictest rule counts, and every part of a command must be allowed. Rules read the parsed
/// command, never text of a model about it. Immutable.
///
/// ```java
/// var rules = CommandRules.load(file, Scope.USER);
/// switch (rules.decide(script, risk, DecisionContext.of(tiers, now))) { ... }
/// ```
public final class CommandRules {
  private static final int BYTES_MAX = 1024 * 1024;

  private final List<CommandRule> rules;

  private CommandRules(List<CommandRule> rules) {
    this.rules = List.copyOf(rules);
  }

  /// The findings of the check of a file.
  ///
  /// @param examples how many were compared with their rules
  public record Check(int rules, int examples, List<Problem> problems) {}

  /// No rules: every command is asked about.
  public static CommandRules none() {
    return new CommandRules(List.of());
  }

  /// Rules of a session, which are in no file.
  public static CommandRules of(List<CommandRule> rules) {
    return new CommandRules(rules);
  }

  /// Reads a file of rules. For those of a project, use [ProjectRules].
  ///
  /// @throws InvalidRules with all problems, also examples that do not hold
  public static CommandRules load(Path file, Scope scope) {
    return parse(read(file), file.toString(), scope);
  }

  /// Reads the text of a file of rules.
  ///
  /// @param file for messages
  /// @throws InvalidRules with all problems, also examples that do not hold
  public static CommandRules parse(String text, String file, Scope scope) {
    var reader = new RuleFileReader(file, scope);
    var rules = reader.read(text);
    if (!reader.problems().isEmpty()) throw new InvalidRules(file, reader.problems());
    return new CommandRules(rules);
  }

  /// Checks a file of rules with its examples, without using it.
  public static Check check(Path file, Scope scope) {
    var reader = new RuleFileReader(file.toString(), scope);
    var rules = reader.read(read(file));
    return new Check(rules.size(), reader.examples(), List.copyOf(reader.problems()));
  }

  private static String read(Path file) {
    try {
      if (Files.size(file) > BYTES_MAX) {
        throw new InvalidRules(
            file.toString(), List.of(new Problem(1, 1, "the file is larger than 1 MiB")));
      }
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException("rules cannot be read: " + file, e);
    }
  }

  /// The rules in the order in which they were read.
  public List<CommandRule> rules() {
    return rules;
  }

  /// Returns these rules and others.
  public CommandRules and(CommandRules more) {
    var all = new ArrayList<>(rules);
    all.addAll(more.rules);
    return new CommandRules(all);
  }

  /// Decides about a command.
  ///
  /// @param risk of the same command
  public CommandDecision decide(ShellScript script, Assessment risk, DecisionContext context) {
    return new Deciding(script, risk, context, RuleVerdict.of(rules, script, risk, context))
        .decision();
  }

  /// Explains a decision.
  public PolicyExplanation why(ShellScript script, Assessment risk, DecisionContext context) {
    var verdict = RuleVerdict.of(rules, script, risk, context);
    var decision = new Deciding(script, risk, context, verdict).decision();
    return new PolicyExplanation(
        script.source().text(), risk, decision, verdict.concerned(), verdict.over());
  }

  @Override
  public String toString() {
    return "CommandRules[" + rules.size() + " rules]";
  }
}
