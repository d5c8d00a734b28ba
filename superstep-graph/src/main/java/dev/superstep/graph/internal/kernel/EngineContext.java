package dev.superstep.graph.internal.kernel;

import dev.superstep.call.CallContext;
import dev.superstep.node.ContextKey;
import dev.superstep.node.NodeResult;
import dev.superstep.run.Input;
import dev.superstep.state.State;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The context of a task, as the engine's own code sees it.
public interface EngineContext extends CallContext {
  /// Runs the subgraph of this node, or resumes it, and returns the node's result. If it asks, the
  /// node is suspended with all its questions.
  NodeResult nested(NestedCall call) throws InterruptedException;

  /// A graph in its place in another. The context knows no more of it, so that graphs may know
  /// contexts.
  interface InnerGraph {}

  /// A graph that a task wants to run inside itself. Immutable.
  ///
  /// @param input made only if there is no state to resume
  /// @param outer the state of the task's own graph
  /// @param chosen what runs in place of the graph of the node; null if that does
  /// @param given values for all nodes inside, beside those of the caller of the run
  record NestedCall(
      Supplier<Input> input,
      State outer,
      @Nullable InnerGraph chosen,
      Map<ContextKey<?>, Object> given) {}
}
