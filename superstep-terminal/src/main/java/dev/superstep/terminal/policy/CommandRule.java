package dev.superstep.terminal.policy;

import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What is to be done about some commands. Immutable.
///
/// @param justification a sentence for the person who is asked
/// @param until when it ends; `null` for never
public record CommandRule(
    CommandPattern pattern,
    RuleEffect effect,
    String justification,
    @Nullable Instant until,
    Origin origin) {
  /// Where a rule stands.
  ///
  /// @param file a path, or a name such as `session`
  /// @param line from 1
  public record Origin(Scope scope, String file, int line) {
    @Override
    public String toString() {
      return file + ":" + line;
    }
  }

  /// The time from which on it does not count.
  public Optional<Instant> expiry() {
    return Optional.ofNullable(until);
  }

  boolean isOver(Instant now) {
    return until != null && !now.isBefore(until);
  }
}
