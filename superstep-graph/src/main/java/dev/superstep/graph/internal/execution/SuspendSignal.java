package dev.superstep.graph.internal.execution;

/// Leaves a node that asked a question or whose graph stopped. An error, so that `catch (Exception
/// e)` lets it pass.
final class SuspendSignal extends Error {
  /// Signals that the subgraph of the node has stopped, and will be resumed.
  SuspendSignal() {
    super("stopped", null, false, false);
  }

  SuspendSignal(String interrupt) {
    super("waiting for the answer to " + interrupt, null, false, false);
  }
}
