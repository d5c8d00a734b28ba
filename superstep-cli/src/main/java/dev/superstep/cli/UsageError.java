package dev.superstep.cli;

import dev.superstep.json.SuperstepException;

/// The command, or a file that configures it, asks for something that cannot be done. Nothing has
/// run.
final class UsageError extends SuperstepException {
  private static final long serialVersionUID = 1L;

  /// @param message what, where, and what to do
  UsageError(String code, String message) {
    super(code, message, null);
  }

  UsageError(String code, String message, Throwable cause) {
    super(code, message, cause);
  }
}
