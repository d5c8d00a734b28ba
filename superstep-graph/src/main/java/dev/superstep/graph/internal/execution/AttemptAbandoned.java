package dev.superstep.graph.internal.execution;

/// Ends further calls of an attempt after its node ran out of time or its run was asked to stop.
/// Only the code of that node sees it; an error, so that `catch (Exception e)` does not catch it.
public final class AttemptAbandoned extends Error {
  AttemptAbandoned() {
    super("this attempt was given up, or its run was asked to stop", null, false, false);
  }
}
