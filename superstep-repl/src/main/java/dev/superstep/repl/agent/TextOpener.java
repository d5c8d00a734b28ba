package dev.superstep.repl.agent;

import dev.superstep.repl.host.TextSource;

/// Finds the texts again that became the `context` of a typed session, when its cells are run
/// again.
@FunctionalInterface
public interface TextOpener {
  /// Opens a text.
  ///
  /// @param name that it was loaded by
  /// @param digest of what it was then; whoever opens it sees to it that it still is
  TextSource open(String name, String digest);

  /// A text for the cells that follow.
  ///
  /// @param name by which it can be found again
  /// @param digest SHA-256 of it
  record Loaded(String name, String digest, TextSource text) {}
}
