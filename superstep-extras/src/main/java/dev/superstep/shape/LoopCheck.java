package dev.superstep.shape;

import dev.superstep.node.NodeContext;
import dev.superstep.state.State;

/// Work that decides whether a loop is done: a review, or whether a model has more to do. It runs
/// as a node does, so it may take its time, call a model and ask questions; unlike a router.
@FunctionalInterface
public interface LoopCheck {
  /// Does the work.
  LoopVerdict check(State state, NodeContext context) throws Exception;
}
