package dev.superstep.repl.internal.node;

import dev.superstep.repl.internal.value.Raise;

/// Statements one after another. Counts them and notes where errors pass.
final class Block {
  static final Block EMPTY = new Block(new Step[0]);

  private final Step[] steps;

  Block(Step[] steps) {
    this.steps = steps;
  }

  boolean isEmpty() {
    return steps.length == 0;
  }

  int exec(Frame f) {
    int i = 0;
    var all = steps;
    var m = f.m;
    try {
      for (; i < all.length; i++) {
        var step = all[i];
        m.tick(step.cost);
        f.mark = m.total();
        int how = step.exec(f);
        if (how != Step.NEXT) return how;
      }
      return Step.NEXT;
    } catch (Raise e) {
      Machine.passes(e, f, all[i]);
      throw e;
    }
  }
}
