package dev.superstep.graph.internal.kernel;

/// The properties of the subgraphs of a graph, computed once for it.
///
/// @param height the number of nested graphs, the graph itself included
/// @param remembers whether one of them remembers
/// @param isSpecial whether one of them has its own kind of persistence or its own store
public record NestingInfo(int height, boolean remembers, boolean isSpecial) {
  static NestingInfo of(ExecutionGraph executionGraph) {
    var all = new NestingInfo(1, false, false);
    for (var node : executionGraph.nodes()) {
      var inside = node.inside();
      if (inside == null) continue;
      var deeper = inside.graph().nesting();
      all =
          new NestingInfo(
              Math.max(all.height, deeper.height + 1),
              all.remembers || inside.subgraph().remembers(),
              all.isSpecial || inside.subgraph().isSpecial());
    }
    return all;
  }
}
