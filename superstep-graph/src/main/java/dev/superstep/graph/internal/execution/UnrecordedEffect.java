package dev.superstep.graph.internal.execution;

/// Leaves a node that is run again for comparison and is about to do something of which nothing was
/// recorded. An error, so that `catch (Exception e)` lets it pass.
public final class UnrecordedEffect extends Error {
  public UnrecordedEffect(String what) {
    super("nothing is recorded of " + what, null, false, false);
  }
}
