package dev.superstep.tool;

/// Whether a tool may be called. Of several, the strictest holds.
public sealed interface Verdict {
  /// It may.
  record Allow() implements Verdict {}

  /// It may, if a person approves.
  ///
  /// @param reason for the person
  record Confirm(String reason) implements Verdict {}

  /// It may not.
  ///
  /// @param reason for the model
  record Deny(String reason) implements Verdict {}

  /// It may.
  static Verdict allow() {
    return new Allow();
  }

  /// The stricter of both; of two alike, this.
  default Verdict and(Verdict other) {
    return rank(other) > rank(this) ? other : this;
  }

  private static int rank(Verdict verdict) {
    return switch (verdict) {
      case Allow _ -> 0;
      case Confirm _ -> 1;
      case Deny _ -> 2;
    };
  }
}
