package dev.superstep.cli.host;

/// The exit codes of the command, one for each kind of end; documented in its help.
public final class ExitCodes {
  public static final int COMPLETED = 0;

  /// An evaluation is under the pass rate that was asked for.
  public static final int BELOW = 1;

  public static final int USAGE = 2;

  /// Waits for answers or an approval, or was stopped by Ctrl-C: `resume` continues it.
  public static final int INTERRUPTED = 3;

  public static final int FAILED = 4;

  /// Refused by a rule: a command, a path, a text that nobody has approved.
  public static final int DENIED = 5;

  /// A model could not be asked, or its answer could not be used.
  public static final int PROVIDER = 6;

  /// A budget or a limit of calls is used up, or a run may pass one.
  public static final int BUDGET = 7;

  /// Ended by a person for good; as a shell reports what Ctrl-C ended.
  public static final int ABORTED = 130;

  private ExitCodes() {}
}
