package dev.superstep.graph;

/// Leaves a node that asked a question or paused. An error, so that `catch (Exception e)` lets it
/// pass.
final class Suspension extends Error {
  private static final long serialVersionUID = 1L;

  /// A graph inside the node has paused.
  Suspension() {
    super("paused", null, false, false);
  }

  Suspension(String interrupt) {
    super("waiting for the answer to " + interrupt, null, false, false);
  }
}
