package dev.superstep.eval;

import dev.superstep.json.SuperstepException;

/// A trial that ended early because of the budget of the evaluation, and is therefore no result.
final class OutOfBudget extends SuperstepException {
  private static final long serialVersionUID = 1;

  OutOfBudget() {
    super("eval.budget", "The budget of the evaluation ended the trial.");
  }
}
