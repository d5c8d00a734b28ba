package dev.superstep.cli;

/// The exit codes of the command; documented in its help.
final class Exit {
  static final int COMPLETED = 0;
  static final int USAGE = 2;

  /// Waits for answers, or was stopped by Ctrl-C: `resume` goes on.
  static final int INTERRUPTED = 3;

  static final int FAILED = 4;

  private Exit() {}
}
