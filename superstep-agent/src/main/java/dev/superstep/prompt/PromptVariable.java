package dev.superstep.prompt;

import java.util.Optional;

/// A variable of a prompt template. Immutable.
///
/// @param kind what it stands for
/// @param fallback the text in its place if it has no value; a variable without one is required
/// @param isSecret whether its value is left out of what is shown to people
public record PromptVariable(String name, Kind kind, Optional<String> fallback, boolean isSecret) {
  /// The kind of a variable.
  public enum Kind {
    /// Stands for a text.
    TEXT,
    /// Stands for messages.
    CONVERSATION
  }

  /// Returns true if a prompt cannot be made without a value. A conversation may be absent.
  public boolean isRequired() {
    return kind == Kind.TEXT && fallback.isEmpty();
  }
}
