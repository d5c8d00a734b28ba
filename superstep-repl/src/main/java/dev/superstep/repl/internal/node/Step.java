package dev.superstep.repl.internal.node;

import dev.superstep.repl.internal.value.Raise;

/// A statement that is ready to run. Says by a number how it ended.
abstract class Step {
  static final int NEXT = 0;
  static final int BREAK = 1;
  static final int CONTINUE = 2;
  static final int RETURN = 3;

  final Raise.Place place;
  final int cost;

  /// @param cost operations: the number of its parts
  Step(Raise.Place place, int cost) {
    this.place = place;
    this.cost = cost;
  }

  abstract int exec(Frame f);
}
