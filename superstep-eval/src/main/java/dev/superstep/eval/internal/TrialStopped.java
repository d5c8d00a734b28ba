package dev.superstep.eval.internal;

import dev.superstep.json.SuperstepException;
import dev.superstep.run.Outcome;

/// A trial that was stopped from outside, such as by the draining of its process, and is therefore
/// no result.
public final class TrialStopped extends SuperstepException {
  private static final long serialVersionUID = 1;

  private final Outcome.Reason reason;

  public TrialStopped(Outcome.Reason reason) {
    super("eval.stopped", "The trial was stopped from outside: " + reason + ".");
    this.reason = reason;
  }

  /// Returns true if the subject was stopped by somebody else than itself or its deadline.
  public static boolean isBy(Outcome.Reason reason) {
    return reason == Outcome.Reason.CANCELLED || reason == Outcome.Reason.DRAINED;
  }

  /// The reason for which the run of the trial ended.
  public Outcome.Reason reason() {
    return reason;
  }
}
