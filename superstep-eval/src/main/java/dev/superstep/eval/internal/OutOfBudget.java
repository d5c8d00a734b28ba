package dev.superstep.eval.internal;

import dev.superstep.json.SuperstepException;

/// A trial that ended early because of the budget of the evaluation, and is therefore no result.
public final class OutOfBudget extends SuperstepException {
  private static final long serialVersionUID = 1;

  public OutOfBudget() {
    super("eval.budget", "The budget of the evaluation ended the trial.");
  }
}
