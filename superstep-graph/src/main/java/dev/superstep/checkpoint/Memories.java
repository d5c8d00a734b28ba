package dev.superstep.checkpoint;

import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

/// The memories of the subgraphs of a graph, as they belong to one of its checkpoints. So a memory
/// is rewound, forked and deleted with the checkpoint that names it, wherever it is stored.
/// Immutable.
///
/// @param left what they left, by their [#path]
/// @param elsewhere the paths of subgraphs that the run saves in other stores
/// @param isWhole false if a checkpoint of format 1 is among those that led here, which named no
///   memories: a subgraph that has left none since continues from the newest one under its nodes'
///   names
public record Memories(Map<String, Memory> left, Set<String> elsewhere, boolean isWhole) {
  /// Of a graph in which nothing remembers yet.
  public static final Memories NONE = new Memories(Map.of(), Set.of(), true);

  /// Of a checkpoint of format 1.
  public static final Memories UNNAMED = new Memories(Map.of(), Set.of(), false);

  public Memories {
    // Sorted, so that the stored form does not depend on the order of tasks.
    left = left.isEmpty() ? Map.of() : Collections.unmodifiableMap(new TreeMap<>(left));
    elsewhere =
        elsewhere.isEmpty() ? Set.of() : Collections.unmodifiableSet(new TreeSet<>(elsewhere));
  }

  /// Returns the path of a subgraph of this node.
  public static String path(String node) {
    return node.indexOf('~') < 0 && node.indexOf('/') < 0
        ? node
        : node.replace("~", "~0").replace("/", "~1");
  }

  /// Returns the path of a subgraph inside a subgraph.
  public static String path(String outer, String inner) {
    return outer + "/" + inner;
  }

  /// The memory of the graph at a path, if it has one.
  public Optional<Memory> at(String path) {
    return Optional.ofNullable(left.get(path));
  }

  /// Returns the memories below a subgraph, by their paths in that graph.
  public Memories below(String path) {
    var begin = path(path, "");
    var below = new TreeMap<String, Memory>();
    left.forEach((p, memory) -> {
      if (p.startsWith(begin)) below.put(p.substring(begin.length()), memory);
    });
    return new Memories(below, Set.of(), isWhole);
  }

  /// With these put over those that are at the same paths.
  public Memories with(Map<String, Memory> newer) {
    if (newer.isEmpty()) return this;
    var all = new TreeMap<>(left);
    all.putAll(newer);
    return new Memories(all, elsewhere, isWhole);
  }

  /// With all that is left at some paths and below them replaced.
  ///
  /// @param now what is left, by path, in place of what is at each of these paths and below
  public Memories replaced(Map<String, Map<String, Memory>> now) {
    if (now.isEmpty()) return this;
    var all = new TreeMap<>(left);
    for (var path : now.keySet()) {
      all.remove(path);
      // What follows the separator.
      all.subMap(path(path, ""), path + (char) ('/' + 1)).clear();
    }
    now.values().forEach(all::putAll);
    return new Memories(all, elsewhere, isWhole);
  }

  /// Returns a copy with the paths of subgraphs that are saved in other stores.
  public Memories elsewhere(Set<String> paths) {
    return paths.equals(elsewhere) ? this : new Memories(left, paths, isWhole);
  }

  /// With nodes of other names.
  ///
  /// @param node the new name of a node of this graph
  public Memories renamed(UnaryOperator<String> node) {
    var moved = new TreeMap<String, Memory>();
    left.forEach((p, memory) -> moved.put(renamed(p, node), memory));
    var others = new TreeSet<String>();
    for (var p : elsewhere) others.add(renamed(p, node));
    return new Memories(moved, others, isWhole);
  }

  private static String renamed(String path, UnaryOperator<String> node) {
    int end = path.indexOf('/');
    var first = end < 0 ? path : path.substring(0, end);
    var name = first.replace("~1", "/").replace("~0", "~");
    return path(node.apply(name)) + path.substring(first.length());
  }
}
