package dev.superstep.cli.host;

import dev.superstep.json.SuperstepException;

/// Thrown when a person has to agree and nobody is there to be asked. Nothing was done.
public final class ApprovalNeeded extends SuperstepException {
  /// Creates an error.
  ///
  /// @param message what is asked, and how to agree
  public ApprovalNeeded(String code, String message) {
    super(code, message);
  }
}
