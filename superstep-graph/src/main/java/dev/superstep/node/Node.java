package dev.superstep.node;

import dev.superstep.state.State;

/// A unit of work: reads the state, blocks as long as it must, returns what it writes. It runs on a
/// virtual thread; interrupting that thread cancels it. After a crash a node that had not finished
/// runs again from its start, so give outside effects the [NodeContext#task] as idempotency key.
/// Implementations are safe for many threads: one node serves many runs.
@FunctionalInterface
public interface Node {
  /// Does the work.
  NodeResult run(State state, NodeContext context) throws Exception;

  /// A node that needs nothing but the state, so that its lambda has one parameter.
  @FunctionalInterface
  interface OfState {
    /// Does the work.
    NodeResult run(State state) throws Exception;
  }
}
