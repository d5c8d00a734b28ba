package dev.superstep.graph.internal.execution;

/// Leaves a node that asked a question or whose graph stopped. An error, so that `catch (Exception
/// e)` lets it pass.
final class SuspendSignal extends Error {
  private static final long serialVersionUID = 1L;

  /// The graph inside the node has stopped, and is to go on later.
  SuspendSignal() {
    super("stopped", null, false, false);
  }

  SuspendSignal(String interrupt) {
    super("waiting for the answer to " + interrupt, null, false, false);
  }
}
