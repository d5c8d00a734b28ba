package dev.superstep.terminal.policy;

import dev.superstep.terminal.shell.ShellScript;

/// Compares a rule alone with a command, as the examples of a file do.
final class RuleExamples {
  private RuleExamples() {}

  static boolean matches(CommandRule rule, ShellScript script) {
    var command = CommandParts.of(script);
    var matcher = RuleMatcher.ofExamples();
    return switch (rule.effect()) {
      case ALLOW ->
          command.obstacles().isEmpty()
              && command.parts().stream().allMatch(part -> matcher.allows(rule.pattern(), part));
      case CONFIRM, DENY ->
          command.parts().stream()
              .anyMatch(part -> matcher.concerns(rule.pattern(), part) != RuleMatcher.Match.NO);
    };
  }
}
