package dev.superstep.graph.internal.execution;

import dev.superstep.checkpoint.Interrupt;
import dev.superstep.graph.internal.kernel.EngineContext.NestedCall;
import dev.superstep.graph.internal.kernel.ParentTask;
import dev.superstep.graph.internal.kernel.RunSettings;
import dev.superstep.graph.internal.kernel.SubgraphNode;
import dev.superstep.json.Json;
import dev.superstep.node.NodeResult;
import dev.superstep.run.Outcome;
import dev.superstep.state.State;
import java.util.List;
import java.util.Map;

/// Runs the subgraphs of tasks.
@FunctionalInterface
public interface SubgraphRunner {
  /// Runs a subgraph, or resumes it.
  End run(Call call) throws InterruptedException;

  /// A task whose graph is to run.
  ///
  /// @param outer the run of the task's own graph
  /// @param answers what is known, by interrupt id
  record Call(RunScope outer, ParentTask parent, NestedCall nested, Map<String, Json> answers) {
    /// The state of the task's own graph.
    public State state() {
      return nested.outer();
    }

    /// The graph that runs, in its place.
    public SubgraphNode inside() {
      if (nested.chosen() instanceof SubgraphNode chosen) return chosen;
      var own = parent.scope().graph().subgraph(parent.node());
      if (own == null) throw new IllegalStateException("the node is no graph");
      return own;
    }

    /// The settings of its run.
    public RunSettings options() {
      return outer.options().giving(nested.given());
    }
  }

  /// The end of a subgraph's run.
  sealed interface End {
    /// It ran to its end, with this result of the task's node.
    record Completed(NodeResult result) implements End {}

    /// It waits for answers.
    record Asked(List<Interrupt> questions) implements End {}

    /// It stopped before its end.
    record Stopped(Outcome.Reason why) implements End {}
  }
}
