package dev.superstep.graph;

/// Leaves a node that asked a question. An error, so that `catch (Exception e)` lets it pass.
final class Suspension extends Error {
  private static final long serialVersionUID = 1L;

  Suspension(String interrupt) {
    super("waiting for the answer to " + interrupt, null, false, false);
  }
}
