package dev.superstep.terminal.policy;

import dev.superstep.terminal.policy.RuleMatcher.Match;
import dev.superstep.terminal.risk.Assessment;
import dev.superstep.terminal.shell.ShellScript;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// What rules alone say about a command.
///
/// @param denying rules that match for sure
/// @param asking rules that ask, and those that may deny
/// @param allowing rules that allow a part each
/// @param isAllowed whether every part is allowed
/// @param obstacles why none of them can allow it
/// @param over rules that would match if their time were not over
record RuleVerdict(
    List<CommandRule> denying,
    List<CommandRule> asking,
    List<CommandRule> allowing,
    boolean isAllowed,
    List<String> obstacles,
    List<CommandRule> over) {
  static RuleVerdict of(
      List<CommandRule> rules, ShellScript script, Assessment risk, DecisionContext context) {
    var command = CommandParts.of(script);
    var runs = new ArrayList<>(command.parts());
    risk.invocations().forEach(run -> runs.add(CommandPart.of(run)));
    var matcher = new RuleMatcher(context.programs(), true);
    var denying = new LinkedHashSet<CommandRule>();
    var asking = new LinkedHashSet<CommandRule>();
    var over = new LinkedHashSet<CommandRule>();
    for (var rule : rules) {
      if (rule.effect() == RuleEffect.ALLOW) continue;
      var match = Match.NO;
      for (var run : runs) {
        var one = matcher.concerns(rule.pattern(), run);
        if (one.compareTo(match) > 0) match = one;
      }
      if (match == Match.NO) continue;
      if (rule.isOver(context.now())) over.add(rule);
      else if (rule.effect() == RuleEffect.DENY && match == Match.YES) denying.add(rule);
      else asking.add(rule);
    }
    var allowing = new LinkedHashSet<CommandRule>();
    boolean isAllowed = command.obstacles().isEmpty();
    for (var part : command.parts()) {
      isAllowed &= allow(rules, part, matcher, context, allowing, over);
    }
    return new RuleVerdict(
        List.copyOf(denying),
        List.copyOf(asking),
        List.copyOf(allowing),
        isAllowed,
        command.obstacles(),
        List.copyOf(over));
  }

  private static boolean allow(
      List<CommandRule> rules,
      CommandPart part,
      RuleMatcher matcher,
      DecisionContext context,
      Set<CommandRule> allowing,
      Set<CommandRule> over) {
    boolean isAllowed = false;
    for (var rule : rules) {
      if (rule.effect() != RuleEffect.ALLOW || !matcher.allows(rule.pattern(), part)) continue;
      if (rule.isOver(context.now())) {
        over.add(rule);
      } else {
        allowing.add(rule);
        isAllowed = true;
      }
    }
    return isAllowed;
  }

  /// All rules that concern the command, the strictest first.
  List<CommandRule> concerned() {
    var all = new ArrayList<>(denying);
    all.addAll(asking);
    all.addAll(allowing);
    return List.copyOf(all);
  }
}
