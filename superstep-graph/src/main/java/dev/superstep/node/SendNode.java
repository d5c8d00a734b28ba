package dev.superstep.node;

import dev.superstep.state.State;

/// A [Node] that is sent an argument of its own.
@FunctionalInterface
public interface SendNode<A> {
  /// Does the work for one argument.
  NodeResult run(A argument, State state, NodeContext context) throws Exception;
}
