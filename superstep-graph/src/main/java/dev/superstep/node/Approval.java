package dev.superstep.node;

import java.util.Optional;

/// The usual answer of a person: yes or no, and why.
///
/// @param note what the person wants to add
public record Approval(boolean approved, Optional<String> note) {
  /// Yes.
  public static Approval yes() {
    return new Approval(true, Optional.empty());
  }

  /// No, for a reason.
  public static Approval no(String note) {
    return new Approval(false, Optional.of(note));
  }
}
