package dev.superstep.terminal.policy;

import dev.superstep.sandbox.Tier;
import dev.superstep.terminal.policy.CommandDecision.Allow;
import dev.superstep.terminal.policy.CommandDecision.Cause;
import dev.superstep.terminal.policy.CommandDecision.Confirm;
import dev.superstep.terminal.policy.CommandDecision.Deny;
import dev.superstep.terminal.risk.Assessment;
import dev.superstep.terminal.risk.Fact;
import dev.superstep.terminal.risk.Invocation;
import dev.superstep.terminal.risk.RiskLevel;
import dev.superstep.terminal.shell.ShellScript;
import java.util.ArrayList;
import java.util.List;

/// Makes one decision of the rules, the danger and the machine. For one command.
final class Deciding {
  private final ShellScript script;
  private final Assessment risk;
  private final DecisionContext context;
  private final RuleVerdict verdict;
  private final List<String> reasons = new ArrayList<>();

  Deciding(ShellScript script, Assessment risk, DecisionContext context, RuleVerdict verdict) {
    this.script = script;
    this.risk = risk;
    this.context = context;
    this.verdict = verdict;
  }

  CommandDecision decision() {
    var rules = verdict.concerned();
    if (risk.level() == RiskLevel.FORBIDDEN) {
      reasons.add("It is never run, whatever the rules say.");
      findings();
      return new Deny(Cause.FORBIDDEN, rules, reasons);
    }
    if (!verdict.denying().isEmpty()) {
      verdict.denying().forEach(this::reason);
      return new Deny(Cause.RULE, rules, reasons);
    }
    var needed = ApprovalTable.of(script, risk, context);
    boolean isUnasked = isUnasked() && !needed.needsPerson();
    if (!needed.gap().isEmpty()) reasons.add(needed.gap());
    findings();
    if (isUnasked) return new Allow(confinement(needed), rules, reasons);
    if (!needed.isTypable()) {
      reasons.add("It cannot be typed, so it cannot be approved.");
      return new Deny(Cause.NOT_TYPABLE, rules, reasons);
    }
    if (!context.canAsk()) {
      reasons.add("Somebody has to approve it, and nobody can be asked.");
      return new Deny(Cause.NOBODY_TO_ASK, rules, reasons);
    }
    return new Confirm(needed.approval(), needed.confinement(), rules, reasons);
  }

  /// Says why, on the way.
  private boolean isUnasked() {
    verdict.asking().forEach(this::reason);
    if (!verdict.asking().isEmpty()) return false;
    if (risk.level().isAtLeast(RiskLevel.HIGH)) {
      reasons.add("Its danger is high, so that no rule allows it.");
      return false;
    }
    boolean isLowEnough = context.runsUnasked(risk.level());
    if (!verdict.isAllowed() && !isLowEnough) {
      if (verdict.allowing().isEmpty()) reasons.add("No rule allows it.");
      else if (verdict.obstacles().isEmpty()) reasons.add("Rules allow only parts of it.");
      else reasons.addAll(verdict.obstacles());
      return false;
    }
    if (!context.followed().isEmpty() && !isReading()) {
      reasons.add(
          "It follows "
              + context.followed()
              + ", which may come from strangers, and does more than to read.");
      return false;
    }
    if (verdict.isAllowed()) verdict.allowing().forEach(this::reason);
    else reasons.add("Its danger is within the limit that was set.");
    return true;
  }

  private boolean isReading() {
    return risk.level() == RiskLevel.LOW
        && script.isComplete()
        && !risk.invocations().isEmpty()
        && risk.invocations().stream().allMatch(Invocation::isLiteral)
        && risk.facts().stream().map(Fact::kind).allMatch(Deciding::isReading);
  }

  private static boolean isReading(Fact.Kind kind) {
    return switch (kind) {
      case RUNS, READS, CHANGES_DIRECTORY -> true;
      case RUNS_FILE, WRITES, DELETES, CONNECTS, PRIVILEGE, ENVIRONMENT -> false;
    };
  }

  private Confinement confinement(ApprovalTable needed) {
    boolean isReadOnly = !context.followed().isEmpty();
    var at = needed.confinement();
    boolean refusesMetadata = at.refusesMetadata() || (isReadOnly && at.tier() == Tier.LANDLOCK);
    return new Confinement(at.tier(), isReadOnly, refusesMetadata);
  }

  private void reason(CommandRule rule) {
    var why = rule.justification().isEmpty() ? "" : ": " + rule.justification();
    reasons.add("Rule " + rule.origin() + " says " + rule.effect().word() + why);
  }

  private void findings() {
    risk.findings().forEach(finding -> reasons.add(finding.reason()));
  }
}
