package dev.superstep.tool;

/// A decision on a tool call. Of several decisions the strictest holds.
public sealed interface GateDecision {
  /// It may.
  record Allow() implements GateDecision {}

  /// It may, if a person approves.
  ///
  /// @param reason for the person
  record Confirm(String reason) implements GateDecision {}

  /// It may not.
  ///
  /// @param reason for the model
  record Deny(String reason) implements GateDecision {}

  /// It may.
  static GateDecision allow() {
    return new Allow();
  }

  /// The stricter of both; of two alike, this.
  default GateDecision and(GateDecision other) {
    return rank(other) > rank(this) ? other : this;
  }

  private static int rank(GateDecision verdict) {
    return switch (verdict) {
      case Allow _ -> 0;
      case Confirm _ -> 1;
      case Deny _ -> 2;
    };
  }
}
