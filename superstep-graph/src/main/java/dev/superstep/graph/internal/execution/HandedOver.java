package dev.superstep.graph.internal.execution;

/// Ends a thread that another one has replaced. Nothing that it leaves may touch the run.
public final class HandedOver extends Error {
  HandedOver() {
    super("another thread goes on with the run", null, false, false);
  }
}
