package dev.superstep.terminal.policy;

import dev.superstep.language.VisibleText;
import dev.superstep.sandbox.Tier;
import dev.superstep.terminal.risk.Assessment;
import dev.superstep.terminal.risk.RiskLevel;
import dev.superstep.terminal.shell.ShellScript;
import java.util.Optional;

/// The needs of a command of a level on this machine: the tier, and what a person does. Never a
/// weaker tier in silence.
///
/// @param gap a sentence about what the tier does not hold; empty if it is the one of the level
/// @param approval what a person does if one is asked
/// @param needsPerson whether one is always asked
/// @param isTypable whether the approval can be typed
record ApprovalTable(
    Confinement confinement,
    ApprovalInput approval,
    boolean needsPerson,
    boolean isTypable,
    String gap) {
  private static final String NO_SANDBOX =
      "This machine has no sandbox that Superstep can use: the command may read and change all"
          + " files, and use the network.";
  private static final String NO_BUBBLEWRAP =
      "Without bubblewrap, the command is held by Landlock alone: it sees other processes, and"
          + " changes of modes and owners are refused everywhere.";

  static ApprovalTable of(ShellScript script, Assessment risk, DecisionContext context) {
    var level = risk.level();
    if (context.holds(Tier.BUBBLEWRAP)) {
      boolean isLow = level == RiskLevel.LOW && context.holds(Tier.LANDLOCK);
      var tier = isLow ? Tier.LANDLOCK : Tier.BUBBLEWRAP;
      boolean isHigh = level.isAtLeast(RiskLevel.HIGH);
      return isHigh ? typed(phrase(script, risk), tier, "") : key(tier, false, "");
    }
    if (context.holds(Tier.LANDLOCK)) {
      return switch (level) {
        case LOW -> key(Tier.LANDLOCK, false, "");
        case MEDIUM -> key(Tier.LANDLOCK, true, NO_BUBBLEWRAP);
        case HIGH, FORBIDDEN -> typed(script.source().text(), Tier.LANDLOCK, NO_BUBBLEWRAP);
      };
    }
    var phrase = level.isAtLeast(RiskLevel.HIGH) ? script.source().text() : phrase(script, risk);
    return typed(phrase, Tier.PROCESS, NO_SANDBOX);
  }

  private static ApprovalTable key(Tier tier, boolean needsPerson, String gap) {
    var confinement = new Confinement(tier, false, tier == Tier.LANDLOCK && !gap.isEmpty());
    return new ApprovalTable(confinement, new ApprovalInput.Key(), needsPerson, true, gap);
  }

  private static ApprovalTable typed(String phrase, Tier tier, String gap) {
    boolean isTypable = phrase.codePoints().noneMatch(VisibleText::isUnseen);
    var confinement = new Confinement(tier, false, tier == Tier.LANDLOCK);
    return new ApprovalTable(confinement, new ApprovalInput.Typed(phrase), true, isTypable, gap);
  }

  /// The program or the path that matters most, or the command itself.
  private static String phrase(ShellScript script, Assessment risk) {
    return worst(risk)
        .or(() ->
            CommandParts.of(script).parts().stream().flatMap(p -> p.program().stream()).findFirst())
        .filter(name -> !name.isBlank() && name.codePoints().noneMatch(VisibleText::isUnseen))
        .orElse(script.source().text());
  }

  private static Optional<String> worst(Assessment risk) {
    return risk.findings().stream()
        .filter(finding -> finding.level().isAtLeast(RiskLevel.HIGH))
        .flatMap(finding ->
            risk.invocations().stream()
                .filter(run -> run.span().start() <= finding.span().start())
                .filter(run -> finding.span().end() <= run.span().end())
                .flatMap(run -> run.name().stream()))
        .findFirst();
  }
}
