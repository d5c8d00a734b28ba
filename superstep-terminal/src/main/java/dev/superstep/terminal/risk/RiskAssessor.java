package dev.superstep.terminal.risk;

import dev.superstep.language.Span;
import dev.superstep.terminal.shell.ShellScript;

/// Says how dangerous a command is, and what it would do, from its syntax alone. Immutable.
public final class RiskAssessor {
  /// The longest command that is assessed, in `char`s. Nobody reads a longer one before approving.
  public static final int LENGTH_MAX = 32 * 1024;

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
    int length = script.source().text().length();
    if (length > LENGTH_MAX) {
      report.high(
          RiskAxis.OPAQUE,
          "too-long",
          new Span(0, length),
          "The command has %d characters; it is assessed up to %d. Run parts of it, or put it into a script."
              .formatted(length, LENGTH_MAX));
      return report.assessment();
    }
    new ScriptWalker(script.source(), context, report).script(script, PipeData.NONE);
    return report.assessment();
  }
}
