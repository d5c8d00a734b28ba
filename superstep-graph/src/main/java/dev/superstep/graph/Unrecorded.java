package dev.superstep.graph;

/// Leaves a node that is run again for comparison and is about to do something of which nothing was
/// recorded. An error, so that `catch (Exception e)` lets it pass.
final class Unrecorded extends Error {
  private static final long serialVersionUID = 1L;

  Unrecorded(String what) {
    super("nothing is recorded of " + what, null, false, false);
  }
}
