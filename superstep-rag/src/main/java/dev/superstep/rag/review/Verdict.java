package dev.superstep.rag.review;

import java.util.Optional;

/// The answer to a [Proposal]. Immutable.
///
/// @param approval made by the host for the hash that was proposed; empty to refuse
/// @param note what the person wants to add; the model that proposed the text is told
public record Verdict(Optional<SignedApproval> approval, String note) {
  /// Yes, with the approval that [ReviewGate#sign] made.
  public static Verdict yes(SignedApproval approval) {
    return new Verdict(Optional.of(approval), "");
  }

  /// No, for a reason.
  public static Verdict no(String note) {
    return new Verdict(Optional.empty(), note);
  }
}
