package dev.superstep.terminal.risk;

import java.util.ArrayList;
import java.util.List;

/// The danger of a command, with reasons, and facts about it beside. The same text in the same
/// context always has the same assessment. Immutable.
///
/// @param level the worst of the findings, raised by opacity and by pairs that belong together
/// @param findings in the order of their places
/// @param facts in the order of their places
/// @param invocations every program that runs, also inside others
public record Assessment(
    RiskLevel level, List<Finding> findings, List<Fact> facts, List<Invocation> invocations) {
  public Assessment {
    findings = List.copyOf(findings);
    facts = List.copyOf(facts);
    invocations = List.copyOf(invocations);
  }

  /// Returns a copy with findings from elsewhere, which raise the level and never lower it.
  public Assessment with(List<Finding> more) {
    if (more.isEmpty()) return this;
    var all = new ArrayList<>(findings);
    all.addAll(more);
    var worst = level;
    for (var finding : more) worst = worst.max(finding.level());
    return new Assessment(worst, all, facts, invocations);
  }

  /// Returns whether there is a finding about a kind of harm.
  public boolean has(RiskAxis axis) {
    return findings.stream().anyMatch(finding -> finding.axis() == axis);
  }

  /// The values of the facts of a kind, each once.
  public List<String> values(Fact.Kind kind) {
    return facts.stream().filter(f -> f.kind() == kind).map(Fact::value).distinct().toList();
  }
}
