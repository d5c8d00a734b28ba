package dev.superstep.graph.internal.kernel;

/// The properties of the subgraphs of a graph, computed once for it.
///
/// @param height the number of nested graphs, the graph itself included
/// @param remembers whether one of them remembers
/// @param isSpecial whether one of them has its own kind of persistence or its own store
public record NestingInfo(int height, boolean remembers, boolean isSpecial) {
  /// The properties of a graph without subgraphs.
  static final NestingInfo FLAT = new NestingInfo(1, false, false);

  /// Returns the properties with one more subgraph.
  NestingInfo with(NestingInfo inner, boolean remembers, boolean isSpecial) {
    return new NestingInfo(
        Math.max(height, inner.height + 1),
        this.remembers || remembers,
        this.isSpecial || isSpecial);
  }
}
