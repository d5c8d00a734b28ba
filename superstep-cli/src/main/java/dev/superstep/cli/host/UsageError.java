package dev.superstep.cli.host;

import dev.superstep.json.SuperstepException;

/// Thrown when the command, or a file that configures it, asks for something that cannot be done.
/// Nothing has run.
public final class UsageError extends SuperstepException {
  /// Creates an error.
  ///
  /// @param message what, where, and what to do
  public UsageError(String code, String message) {
    super(code, message);
  }

  public UsageError(String code, String message, Throwable cause) {
    super(code, message, cause);
  }
}
