package dev.superstep.eval.internal;

import dev.superstep.checkpoint.LeaseLost;
import dev.superstep.checkpoint.StoreDamaged;
import dev.superstep.checkpoint.StoreFailed;
import dev.superstep.checkpoint.StoreMoved;
import dev.superstep.checkpoint.ThreadBusy;

/// Errors of the store that keeps the trials. They say nothing of the subject, and are no results.
public final class Infrastructure {
  private Infrastructure() {}

  /// Returns whether the failure says nothing about the subject.
  public static boolean isCauseOf(Throwable error) {
    return Observations.cause(error, StoreFailed.class).isPresent()
        || Observations.cause(error, StoreDamaged.class).isPresent()
        || Observations.cause(error, StoreMoved.class).isPresent()
        || isHeldElsewhere(error);
  }

  /// Returns true if another process has the thread. It may have taken it from this one, if that
  /// slept for longer than its lease.
  public static boolean isHeldElsewhere(Throwable error) {
    return Observations.cause(error, LeaseLost.class).isPresent()
        || Observations.cause(error, ThreadBusy.class).isPresent();
  }
}
