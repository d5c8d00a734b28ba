package dev.superstep.graph;

import dev.superstep.checkpoint.Interrupt;

/// Leaves a node that asked a question. An error, so that `catch (Exception e)` lets it pass.
final class Suspension extends Error {
  private static final long serialVersionUID = 1L;
  private final transient Interrupt interrupt;

  Suspension(Interrupt interrupt) {
    super("waiting for the answer to " + interrupt.id(), null, false, false);
    this.interrupt = interrupt;
  }

  Interrupt interrupt() {
    return interrupt;
  }
}
