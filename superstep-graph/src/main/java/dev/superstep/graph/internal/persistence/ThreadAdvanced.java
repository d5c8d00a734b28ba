package dev.superstep.graph.internal.persistence;

/// Signals that a run has to acquire its thread before it reads it: somebody else has acquired the
/// thread since it was read, the first write was refused, or the run needs its lease for something
/// else. Nothing of the run is saved or published until then.
public final class ThreadAdvanced extends RuntimeException {
  ThreadAdvanced() {
    super("the thread is to be acquired first", null, false, false);
  }
}
