package dev.superstep.terminal;

import java.time.Instant;
import java.util.Optional;

/// A command that was proposed, and what became of it; also one that never ran. Stored.
///
/// @param id of its own in the conversation
/// @param step its place, from 0
/// @param decision what was decided on it, and by whom
/// @param result its end, if it ran to one
/// @param change the number of what it changed in the workspace, if it did and that is recorded
public record CommandAttempt(
    String id,
    int step,
    String command,
    String explanation,
    Verdict decision,
    Optional<CommandResult> result,
    Optional<Long> change,
    Instant at) {
  /// A decision on a command, as it is kept.
  ///
  /// @param by a person, a rule, or the workflow itself
  /// @param detail a reason, a digest, or the text that replaced it
  public record Verdict(Kind kind, String by, String detail) {}

  /// The kinds of decisions.
  public enum Kind {
    /// It was approved, and started.
    APPROVED,
    /// Another command was wanted.
    REPLACED,
    /// Its text was changed.
    EDITED,
    /// A person denied it.
    DENIED,
    /// Rules or limits refused it.
    REFUSED,
    /// Its step was passed over.
    SKIPPED,
    /// Its approval did not hold when it was to start.
    EXPIRED,
    /// It was started, and its process died with ours: nobody knows how it ended.
    INTERRUPTED,
    /// The conversation was aborted.
    ABORTED
  }

  /// Returns whether it ran and succeeded.
  public boolean isSuccess() {
    return result.map(CommandResult::isSuccess).orElse(false);
  }

  /// Returns whether it was started.
  public boolean isStarted() {
    return decision.kind() == Kind.APPROVED || decision.kind() == Kind.INTERRUPTED;
  }

  CommandAttempt with(CommandResult end, Optional<Long> changed) {
    return new CommandAttempt(
        id, step, command, explanation, decision, Optional.of(end), changed, at);
  }
}
