package dev.superstep.detached;

import java.util.concurrent.CancellationException;

/// Tells work that it should end. Safe for many threads.
public final class Cancellation {
  private volatile boolean requested;

  Cancellation() {}

  /// Returns true if the work should end soon. It may still give a result.
  public boolean isRequested() {
    return requested;
  }

  /// Leaves the work if it should end.
  ///
  /// @throws CancellationException if so
  public void check() {
    if (requested) throw new CancellationException("the work was cancelled");
  }

  void request() {
    requested = true;
  }

  @Override
  public String toString() {
    return "Cancellation[" + (requested ? "requested]" : "not requested]");
  }
}
