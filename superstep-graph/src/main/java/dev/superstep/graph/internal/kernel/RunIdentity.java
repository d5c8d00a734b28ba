package dev.superstep.graph.internal.kernel;

import org.jspecify.annotations.Nullable;

/// The run of one graph, as data. Immutable.
///
/// @param limit the last superstep that the run may take
/// @param depth the number of graphs that enclose this one
/// @param enclosing the task in which this graph runs, if it is a subgraph
public record RunIdentity(
    CompiledGraph graph,
    String run,
    int limit,
    int depth,
    boolean isPersistent,
    RunSettings options,
    @Nullable ParentTask enclosing) {
  /// Replaces the id of a checkpoint where nothing is saved: as unique as the run, and the task in
  /// which it runs.
  String transientId() {
    return enclosing == null ? run : enclosing.task().id();
  }

  /// Returns whether the run is part of a saved one, while nothing of it is saved by itself.
  public boolean isInsidePersistent() {
    for (var at = enclosing; at != null; at = at.scope().enclosing()) {
      if (at.scope().isPersistent()) return true;
    }
    return false;
  }

  /// The generation that begins with an input. A subgraph begins in the same way whenever its task
  /// runs.
  public String generation() {
    return enclosing == null ? run : WriteCompletion.generationInside(enclosing.task());
  }

  /// Returns whether a node may end the graph early by a hand-off.
  public boolean mayHandOff() {
    for (var at = enclosing; at != null; at = at.scope().enclosing()) {
      if (!at.node().handOffs.isEmpty()) return true;
    }
    return false;
  }
}
