package dev.superstep.terminal.policy;

import dev.superstep.language.Span;
import dev.superstep.sandbox.Tier;
import dev.superstep.terminal.risk.Assessment;
import dev.superstep.terminal.risk.Finding;
import dev.superstep.terminal.risk.RiskAssessor;
import dev.superstep.terminal.risk.RiskAxis;
import dev.superstep.terminal.risk.RiskContext;
import dev.superstep.terminal.risk.RiskLevel;
import dev.superstep.terminal.shell.ShellScript;
import java.nio.file.Path;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/// Decides about commands in tests.
final class Decisions {
  static final Instant NOW = Instant.parse("2026-11-28T00:00:00Z");
  static final Set<Tier> ALL = EnumSet.allOf(Tier.class);
  static final DecisionContext CONTEXT = DecisionContext.of(ALL, NOW);

  private Decisions() {}

  static CommandRules rules(String toml) {
    return CommandRules.parse(toml, "rules.toml", Scope.USER);
  }

  static Assessment risk(ShellScript script) {
    var context = RiskContext.of(Path.of("/w"), Path.of("/w"), Path.of("/home/ann"));
    return RiskAssessor.standard().assess(script, context);
  }

  /// What a judge says who sees no danger, so that rules are on their own.
  static Assessment blind() {
    return new Assessment(RiskLevel.LOW, List.of(), List.of(), List.of());
  }

  static Assessment of(RiskLevel level) {
    var finding = new Finding(RiskAxis.SYSTEM, level, "test", new Span(0, 1), "It is a test.");
    return new Assessment(level, List.of(finding), List.of(), List.of());
  }

  static CommandDecision decide(CommandRules rules, String command) {
    var script = ShellScript.parse(command);
    return rules.decide(script, risk(script), CONTEXT);
  }

  static CommandDecision decide(CommandRules rules, String command, RiskLevel level) {
    return rules.decide(ShellScript.parse(command), of(level), CONTEXT);
  }
}
