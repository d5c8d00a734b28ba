package dev.superstep.terminal.risk;

/// The steps of danger of a command, the least first.
public enum RiskLevel {
  /// Reads, or changes little inside the workspace.
  LOW,
  /// Changes files, or its effects are not known.
  MEDIUM,
  /// May destroy, leak, persist or hide something: to be confirmed apart.
  HIGH,
  /// Wipes the system or a home directory: never runs.
  FORBIDDEN;

  /// Returns whether it is at least as dangerous as another level.
  public boolean isAtLeast(RiskLevel other) {
    return compareTo(other) >= 0;
  }

  /// The more dangerous one of two.
  public RiskLevel max(RiskLevel other) {
    return isAtLeast(other) ? this : other;
  }

  /// The next level, but not [#FORBIDDEN]: only a finding of its own forbids.
  RiskLevel raised() {
    return switch (this) {
      case LOW -> MEDIUM;
      case MEDIUM, HIGH -> HIGH;
      case FORBIDDEN -> FORBIDDEN;
    };
  }
}
