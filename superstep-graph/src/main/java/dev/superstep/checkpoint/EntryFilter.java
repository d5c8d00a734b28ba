package dev.superstep.checkpoint;

import java.util.List;
import java.util.Set;

/// Which entries of a journal are wanted. A set that is empty wants all. Immutable.
///
/// @param path the nodes that lead to a graph: entries of that graph and of its subgraphs are
///   wanted
public record EntryFilter(
    Set<String> runs, Set<String> graphs, Set<String> nodes, Set<String> kinds, List<String> path) {
  private static final EntryFilter ALL =
      new EntryFilter(Set.of(), Set.of(), Set.of(), Set.of(), List.of());

  public EntryFilter {
    runs = Set.copyOf(runs);
    graphs = Set.copyOf(graphs);
    nodes = Set.copyOf(nodes);
    kinds = Set.copyOf(kinds);
    path = List.copyOf(path);
  }

  /// Every entry.
  public static EntryFilter all() {
    return ALL;
  }

  /// Returns a copy that wants only these runs, with everything that happened in their subgraphs:
  /// those have no run ids of their own.
  public EntryFilter runs(String... ids) {
    return new EntryFilter(Set.of(ids), graphs, nodes, kinds, path);
  }

  /// Returns a copy that wants only graphs of these names.
  public EntryFilter graphs(String... names) {
    return new EntryFilter(runs, Set.of(names), nodes, kinds, path);
  }

  /// Returns a copy that wants only entries about these nodes.
  public EntryFilter nodes(String... names) {
    return new EntryFilter(runs, graphs, Set.of(names), kinds, path);
  }

  /// Returns a copy that wants only these kinds, such as `node.finished`.
  public EntryFilter kinds(String... names) {
    return new EntryFilter(runs, graphs, nodes, Set.of(names), path);
  }

  /// Returns a copy that wants only entries from within the graph to which these nodes lead.
  public EntryFilter under(String... names) {
    return new EntryFilter(runs, graphs, nodes, kinds, List.of(names));
  }

  /// Returns whether an entry is wanted.
  public boolean wants(Entry entry) {
    return wants(runs, entry.run())
        && wants(graphs, entry.graph())
        && wants(nodes, entry.node())
        && wants(kinds, entry.kind())
        && entry.path().size() >= path.size()
        && entry.path().subList(0, path.size()).equals(path);
  }

  private static boolean wants(Set<String> set, String name) {
    return set.isEmpty() || set.contains(name);
  }
}
