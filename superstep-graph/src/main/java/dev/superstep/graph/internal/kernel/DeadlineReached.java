package dev.superstep.graph.internal.kernel;

/// Ends a task because the deadline of its run has come. The task runs again when the thread is
/// resumed, so no policy of its node applies.
public final class DeadlineReached extends Exception {
  public DeadlineReached() {
    super("the deadline of the run has come", null, false, false);
  }
}
