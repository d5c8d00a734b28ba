package dev.superstep.graph.internal.kernel;

import dev.superstep.call.CallContext;
import dev.superstep.node.NodeResult;

/// The context of a task, as the engine's own code sees it.
public interface EngineContext extends CallContext {
  /// Runs the subgraph of this node, or resumes it, and returns the node's result. If it asks, the
  /// node is suspended with all its questions.
  NodeResult nested(NestedCall call) throws InterruptedException;
}
