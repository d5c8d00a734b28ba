package dev.superstep.terminal.policy;

/// Whose rules they are; the first are the strongest only where settings contradict each other: of
/// rules, the strictest counts, whoever made it.
public enum Scope {
  /// Of whoever runs the machine.
  MANAGED,
  USER,
  /// Of a folder, which may come from a stranger: it may only tighten, and only once it is trusted.
  PROJECT,
  /// Of one conversation; gone with it.
  SESSION
}
