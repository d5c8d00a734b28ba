package dev.superstep.cli.host;

import dev.superstep.json.SuperstepException;

/// Sources of a program that do not compile. Nothing has run.
public final class CompileFailed extends SuperstepException {
  /// @param message a line with a number, then a line for each error
  CompileFailed(String message) {
    super("program.does-not-compile", message);
  }
}
