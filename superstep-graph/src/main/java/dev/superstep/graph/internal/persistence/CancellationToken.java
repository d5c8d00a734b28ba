package dev.superstep.graph.internal.persistence;

import dev.superstep.json.SuperstepException;
import org.jspecify.annotations.Nullable;

/// Stops a run from elsewhere: because its thread was asked to stop, or because another took it
/// over. Safe for many threads.
public final class CancellationToken {
  private final Thread thread;
  private final Runnable cancel;
  private boolean over;
  private boolean requested;
  private @Nullable SuperstepException lost;

  /// @param thread the one on which the run's loop is
  /// @param cancel marks the run as cancelled, before its thread is interrupted
  public CancellationToken(Thread thread, Runnable cancel) {
    this.thread = thread;
    this.cancel = cancel;
  }

  /// @param why the run has no thread to write to any more
  synchronized void lost(SuperstepException why) {
    if (lost == null) lost = why;
    stop();
  }

  synchronized void stop() {
    if (over || requested) return;
    requested = true;
    cancel.run();
    thread.interrupt();
  }

  public synchronized boolean isRequested() {
    return requested;
  }

  public synchronized @Nullable SuperstepException lost() {
    return lost;
  }

  /// From now on nothing is stopped. To be called by the thread of the run.
  public synchronized void end() {
    over = true;
    // Later code must not take it for an interruption of its own.
    if (requested) Thread.interrupted();
  }
}
