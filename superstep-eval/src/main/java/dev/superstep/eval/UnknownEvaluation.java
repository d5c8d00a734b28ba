package dev.superstep.eval;

import dev.superstep.json.SuperstepException;

/// A store has no evaluation of a name.
public final class UnknownEvaluation extends SuperstepException {
  private static final long serialVersionUID = 1;

  private final String name;

  UnknownEvaluation(String name) {
    super(
        "eval.unknown",
        "The store has no evaluation `" + name + "`. Check the name and the store.");
    this.name = name;
  }

  /// The name that was given.
  public String name() {
    return name;
  }
}
