package dev.superstep.program;

import dev.superstep.json.SuperstepException;

/// An input of the user that the program cannot work on. Nothing has run.
public final class UnusableInput extends SuperstepException {
  /// @param message what is wrong with it, where, and what to do
  public UnusableInput(String message) {
    super("program.unusable-input", message);
  }
}
