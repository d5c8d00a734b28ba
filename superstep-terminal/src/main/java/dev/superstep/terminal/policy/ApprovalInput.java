package dev.superstep.terminal.policy;

/// The act by which a person approves a command. Never just Enter.
public sealed interface ApprovalInput {
  /// A key.
  record Key() implements ApprovalInput {}

  /// These words, typed.
  record Typed(String phrase) implements ApprovalInput {
    /// Returns whether somebody typed them; blanks may be more or fewer.
    public boolean isGivenBy(String typed) {
      return phrase.strip().replaceAll("\\s+", " ").equals(typed.strip().replaceAll("\\s+", " "));
    }
  }
}
