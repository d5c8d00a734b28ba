package dev.superstep.graph;

import org.jspecify.annotations.Nullable;

/// The run of one graph and the services that all its tasks share. Immutable.
///
/// @param holds what the run may write to, if it is kept
/// @param subgraphs runs the graphs inside its tasks
record RunScope(
    RunIdentity identity,
    EventPublisher announcer,
    RunLimits allowance,
    @Nullable ThreadLeases holds,
    HitBreakpoints paused,
    SubgraphRunner subgraphs) {
  CompiledGraph graph() {
    return identity.graph();
  }

  String run() {
    return identity.run();
  }

  /// The last superstep that the run may take.
  int limit() {
    return identity.limit();
  }

  /// How many graphs this one runs inside of.
  int depth() {
    return identity.depth();
  }

  boolean isKept() {
    return identity.isKept();
  }

  RunSettings options() {
    return identity.options();
  }

  /// The task that this graph runs inside of, if it is a subgraph.
  @Nullable ParentTask enclosing() {
    return identity.enclosing();
  }
}
