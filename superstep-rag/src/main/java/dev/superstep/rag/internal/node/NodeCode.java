package dev.superstep.rag.internal.node;

import dev.superstep.node.NodeContext;
import dev.superstep.node.NodeResult;
import dev.superstep.state.State;
import org.jspecify.annotations.Nullable;

/// The code of a node, whether it runs on the state or on what it is sent.
@FunctionalInterface
public interface NodeCode {
  /// Does the work.
  ///
  /// @param argument null if the node runs on the state alone
  NodeResult run(State state, @Nullable Object argument, NodeContext context) throws Exception;
}
