package dev.superstep.terminal.policy;

/// The answer of a rule, the mildest first.
public enum RuleEffect {
  /// Runs without a question, if nothing else speaks against it.
  ALLOW,
  /// A person is asked.
  CONFIRM,
  /// Never runs.
  DENY;

  /// The word in files.
  public String word() {
    return name().toLowerCase(java.util.Locale.ROOT);
  }
}
