package dev.superstep.cli.repl;

import java.util.Optional;

/// The arguments of `superstep repl`. Immutable.
///
/// @param script a file that is run instead of what is typed
/// @param resumed the thread that goes on; empty for a new one
/// @param context a file that cells have as `context`
public record ReplRequest(
    Optional<String> script,
    Optional<String> resumed,
    Optional<String> context,
    Allowed allowed,
    Places places,
    Looks looks) {
  /// The file that says what cells may call.
  ///
  /// @param trust the digest of its text, if the user has read it before
  /// @param consents whether texts may go to vendors
  public record Allowed(Optional<String> file, Optional<String> trust, boolean consents) {}

  /// The places of what is kept.
  ///
  /// @param trajectory the folder for the cells that ran
  public record Places(Optional<String> store, Optional<String> trajectory) {}

  /// The ways of showing things.
  ///
  /// @param plain lines are only added, without drawing over any
  public record Looks(boolean plain, boolean debug) {}
}
