package dev.superstep.repl.internal.node;

import dev.superstep.repl.internal.name.Variable;

/// A cell that is ready to run.
public final class CellCode {
  private final Block body;
  private final int slots;

  CellCode(Block body, int slots) {
    this.body = body;
    this.slots = slots;
  }

  Block body() {
    return body;
  }

  int slots() {
    return slots;
  }

  Variable[] shared() {
    return new Variable[0];
  }
}
