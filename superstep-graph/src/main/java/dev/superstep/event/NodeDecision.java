package dev.superstep.event;

/// The decision on an activated node in a superstep: whether it ran, and why. Immutable.
///
/// @param tasks how many of its tasks the decision is about
/// @param why one sentence for people, without a full stop; its words may change
public record NodeDecision(String node, Verdict verdict, int tasks, String why) {
  /// The decision on an activated node.
  public enum Verdict {
    /// It ran.
    RAN,
    /// Its gate was closed.
    SKIPPED,
    /// It is deferred, and something else was due.
    HELD
  }

  /// The node and the reason on one line.
  public String text() {
    return node + (tasks == 1 ? "" : " (" + tasks + " times)") + ": " + why;
  }
}
