package dev.superstep.eval.check;

import dev.superstep.json.SuperstepException;

/// A check that compares with what a case expects met a case that expects nothing.
public final class MissingExpectation extends SuperstepException {
  private static final long serialVersionUID = 1;

  private final String item;

  MissingExpectation(String item) {
    super(
        "eval.missing-expectation",
        "Case `"
            + item
            + "` has no `expected`, with which the check compares. Add it, or take a check that"
            + " needs none.");
    this.item = item;
  }

  /// The id of the case.
  public String item() {
    return item;
  }
}
