package dev.superstep.graph.internal.execution;

/// Ends what an attempt still tries after its node ran out of time or its run was asked to stop.
/// Nobody sees it but the code of that node; an error, so that `catch (Exception e)` lets it pass.
public final class AttemptAbandoned extends Error {
  private static final long serialVersionUID = 1L;

  AttemptAbandoned() {
    super("this attempt was given up, or its run was asked to stop", null, false, false);
  }
}
