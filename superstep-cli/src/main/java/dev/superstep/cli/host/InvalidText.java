package dev.superstep.cli.host;

import dev.superstep.json.SuperstepException;

/// Thrown when a text cannot be run. The message has all findings, each with its place.
public final class InvalidText extends SuperstepException {
  /// @param findings for people
  public InvalidText(String file, String findings) {
    super("rag.invalid", "Text " + file + " cannot be run.\n\n" + findings.stripTrailing());
  }
}
