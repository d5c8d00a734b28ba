package dev.superstep.graph.internal.persistence;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.Memories;
import dev.superstep.graph.internal.kernel.CompiledGraph;
import dev.superstep.graph.internal.kernel.RunSettings;
import dev.superstep.graph.internal.kernel.SubgraphPersistence;
import java.util.Map;
import java.util.TreeMap;

/// Finds the stores of subgraphs that are not saved in the store of the thread.
public final class SubgraphStores {
  private final Checkpointer own;
  private final Map<String, Checkpointer> stores = new TreeMap<>();

  private SubgraphStores(Checkpointer own) {
    this.own = own;
  }

  /// The stores by the paths of the graphs, as in [Memories].
  static Map<String, Checkpointer> of(CompiledGraph graph, RunSettings options) {
    return options.checkpointer().map(store -> of(graph, store)).orElse(Map.of());
  }

  /// Returns the other stores of a graph's subgraphs, by their path, for threads in this store.
  public static Map<String, Checkpointer> of(CompiledGraph graph, Checkpointer own) {
    if (!graph.nesting().isSpecial()) return Map.of();
    var found = new SubgraphStores(own);
    found.look(graph, "", own);
    return found.stores;
  }

  @SuppressWarnings("ReferenceEquality") // a store is itself, whatever it calls equal
  private void look(CompiledGraph graph, String begin, Checkpointer around) {
    for (var node : graph.executionGraph().nodes()) {
      var inside = graph.subgraph(node);
      if (inside == null || !inside.subgraph().isSpecial()) continue;
      if (inside.subgraph().persistence() == SubgraphPersistence.NOTHING) continue;
      var path = begin + Memories.path(node.name());
      var other = inside.subgraph().store();
      var store = other == null ? around : other;
      if (store != own) stores.put(path, store);
      look(inside.graph(), path + "/", store);
    }
  }
}
