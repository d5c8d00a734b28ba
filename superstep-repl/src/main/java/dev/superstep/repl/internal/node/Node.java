package dev.superstep.repl.internal.node;

import dev.superstep.repl.internal.value.Truth;
import dev.superstep.repl.internal.value.Value;

/// An expression that is ready to run.
abstract class Node {
  abstract Value eval(Frame f);

  /// The truth of its value.
  boolean test(Frame f) {
    return Truth.of(eval(f));
  }
}
