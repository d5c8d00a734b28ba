package dev.superstep.terminal.risk;

import dev.superstep.terminal.shell.ShellScript;

/// Says how dangerous a command is, and what it would do, from its syntax alone. Immutable.
public final class RiskAssessor {
  private static final RiskAssessor STANDARD = new RiskAssessor();

  private RiskAssessor() {}

  /// The built-in tables of programs.
  public static RiskAssessor standard() {
    return STANDARD;
  }

  /// Assesses a command. Never throws; what is not understood counts as high.
  public Assessment assess(ShellScript script, RiskContext context) {
    var report = new Report();
    new UnicodeRules(report).check(script.source());
    new ScriptWalker(script.source(), context, report).script(script, PipeData.NONE);
    return report.assessment();
  }
}
