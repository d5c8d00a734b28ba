package dev.superstep.cli.host;

/// The exit codes of the command; documented in its help.
public final class ExitCodes {
  public static final int COMPLETED = 0;
  public static final int USAGE = 2;

  /// Waits for answers, or was stopped by Ctrl-C: `resume` continues it.
  public static final int INTERRUPTED = 3;

  public static final int FAILED = 4;

  private ExitCodes() {}
}
