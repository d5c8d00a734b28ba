package dev.superstep.graph;

import org.jspecify.annotations.Nullable;

/// What all tasks of a run share. Immutable.
///
/// @param limit the last superstep that the run may take
/// @param holds what the run may write to, if it is kept
/// @param depth how many graphs this one runs inside of
/// @param enclosing the task that this graph runs inside of, if it is a subgraph
record RunScope(
    Graph graph,
    String run,
    int limit,
    int depth,
    boolean isKept,
    RunOptions options,
    EventPublisher announcer,
    RunLimits allowance,
    @Nullable ThreadLeases holds,
    HitBreakpoints paused,
    @Nullable ParentTask enclosing) {
  /// Whether it is a part of something that is kept, of which nothing is kept by itself.
  boolean isInsideKept() {
    return enclosing != null && (enclosing.scope().isKept() || enclosing.scope().isInsideKept());
  }

  /// The generation that begins with an input. A graph inside a task begins in the same way
  /// whenever the task runs.
  String generation() {
    return enclosing == null ? run : WriteCompletion.generationInside(enclosing.task());
  }

  /// Whether a node may end the graph before its time.
  boolean mayHandOff() {
    for (var at = enclosing; at != null; at = at.scope().enclosing()) {
      if (!at.node().handOffs.isEmpty()) return true;
    }
    return false;
  }
}
