package dev.superstep.graph.internal.kernel;

import dev.superstep.call.CallContext;
import dev.superstep.node.NodeResult;
import dev.superstep.run.Input;
import dev.superstep.state.State;
import java.util.function.Supplier;

/// The context of a task, as the engine's own code sees it.
public interface EngineContext extends CallContext {
  /// Runs the subgraph of this node, or resumes it, and returns the node's result. If it asks, the
  /// node is suspended with all its questions.
  NodeResult nested(Supplier<Input> input, State outer) throws InterruptedException;
}
