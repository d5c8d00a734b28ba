package dev.superstep.terminal;

/// The answer of a person when something did not go as it should: a command failed or was refused,
/// its process died, a model could not be used, or the next step is due. Stored: names of cases are
/// kept when the code is renamed.
public enum Recovery {
  /// Begins the step that is due.
  CONTINUE,
  /// Asks the model again: for another command, or for what it failed to give.
  RETRY,
  /// Asks about the same command again, after an interruption.
  RERUN,
  /// Takes the step as done.
  MARK_DONE,
  /// Passes the step over.
  SKIP,
  /// Ends the conversation.
  ABORT
}
