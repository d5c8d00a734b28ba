package dev.superstep.graph.internal.persistence;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.CheckpointerCapability;
import dev.superstep.checkpoint.CheckpointerCapability.EventJournal;
import dev.superstep.checkpoint.CheckpointerCapability.ThreadForks;
import dev.superstep.graph.internal.kernel.CompiledGraph;
import dev.superstep.graph.internal.kernel.RunSettings;
import dev.superstep.graph.internal.kernel.SubgraphPersistence;

/// Checks, before a run touches its thread, that the stores of the run have every capability that
/// its options and its graph will need.
public final class StoreRequirements {
  private StoreRequirements() {}

  /// Checks the stores of a run.
  ///
  /// @throws dev.superstep.checkpoint.MissingCapability naming the feature and what it needs
  public static void check(CompiledGraph graph, RunSettings options, Checkpointer store) {
    if (options.journaling() != null) {
      CheckpointerCapability.required(store, EventJournal.class, "The journal of a run");
    }
    if (graph.nesting().remembers()) subgraphs(graph, store);
  }

  private static void subgraphs(CompiledGraph graph, Checkpointer around) {
    for (var node : graph.executionGraph().nodes()) {
      var inside = graph.subgraph(node);
      if (inside == null || inside.subgraph().persistence() == SubgraphPersistence.NOTHING)
        continue;
      var other = inside.subgraph().store();
      var store = other == null ? around : other;
      if (inside.remembers()) {
        var feature = "Subgraph `" + node.name() + "`, which remembers its runs,";
        CheckpointerCapability.required(store, ThreadForks.class, feature);
      }
      subgraphs(inside.graph(), store);
    }
  }
}
