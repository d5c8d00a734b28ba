package dev.superstep.graph;

import dev.superstep.checkpoint.Capability;
import dev.superstep.checkpoint.Capability.EventJournal;
import dev.superstep.checkpoint.Capability.ThreadForks;
import dev.superstep.checkpoint.Checkpointer;

/// Checks, before a run touches its thread, that the stores of the run have every capability that
/// its options and its graph will need.
final class StoreRequirements {
  private StoreRequirements() {}

  /// @throws dev.superstep.checkpoint.MissingCapability naming the feature and what it needs
  static void check(Graph graph, RunOptions options, Checkpointer store) {
    if (options.journaling() != null) {
      Capability.required(store, EventJournal.class, "The journal of a run");
    }
    if (graph.depths().remembers()) subgraphs(graph, store);
  }

  private static void subgraphs(Graph graph, Checkpointer around) {
    for (var node : graph.wiring().nodes()) {
      var inside = node.inside();
      if (inside == null || inside.subgraph().keeping() == SubgraphPersistence.NOTHING) continue;
      var other = inside.subgraph().store();
      var store = other == null ? around : other;
      if (inside.remembers()) {
        var feature = "Subgraph `" + node.name() + "`, which remembers its runs,";
        Capability.required(store, ThreadForks.class, feature);
      }
      subgraphs(inside.graph(), store);
    }
  }
}
