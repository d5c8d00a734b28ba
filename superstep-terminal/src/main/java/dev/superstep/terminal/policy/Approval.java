package dev.superstep.terminal.policy;

/// What a person does to approve a command. Never just Enter.
public sealed interface Approval {
  /// A key.
  record Key() implements Approval {}

  /// These words, typed.
  record Typed(String phrase) implements Approval {
    /// Returns whether somebody typed them; blanks may be more or fewer.
    public boolean isGivenBy(String typed) {
      return phrase.strip().replaceAll("\\s+", " ").equals(typed.strip().replaceAll("\\s+", " "));
    }
  }
}
