package dev.superstep.graph.internal.validation;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Finds cycles by walking depth first, with a stack of its own: a graph may be deeper than a
/// thread's.
final class Cycles {
  private static final int SHOWN_MAX = 12;

  private final Map<String, Set<String>> steps;
  private final Map<String, Integer> depths = new HashMap<>();
  private final List<String> path = new ArrayList<>();
  private final ArrayDeque<Iterator<String>> open = new ArrayDeque<>();
  private final Set<String> done = new HashSet<>();
  private final Set<String> reported = new HashSet<>();
  private final List<List<String>> found = new ArrayList<>();

  private Cycles(Map<String, Set<String>> steps) {
    this.steps = steps;
  }

  /// At least one cycle of every group of nodes that lead to each other, each as its nodes in
  /// order.
  static List<List<String>> in(Collection<String> nodes, Map<String, Set<String>> steps) {
    var cycles = new Cycles(steps);
    for (var node : nodes) if (!cycles.done.contains(node)) cycles.walk(node);
    return cycles.found;
  }

  private void walk(String first) {
    enter(first);
    while (!open.isEmpty()) {
      var nexts = open.element();
      if (!nexts.hasNext()) {
        leave();
        continue;
      }
      var next = nexts.next();
      var depth = depths.get(next);
      if (depth != null) report(depth);
      else if (!done.contains(next)) enter(next);
    }
  }

  private void enter(String node) {
    depths.put(node, path.size());
    path.add(node);
    open.push(steps.getOrDefault(node, Set.of()).iterator());
  }

  private void leave() {
    open.pop();
    var node = path.removeLast();
    depths.remove(node);
    done.add(node);
  }

  /// The path from this depth on leads back to where it began.
  private void report(int depth) {
    // One cycle of a group is enough; there may be ever so many.
    if (reported.contains(path.get(depth)) || reported.contains(path.getLast())) return;
    var cycle = List.copyOf(path.subList(depth, path.size()));
    reported.addAll(cycle);
    found.add(cycle);
  }

  /// A cycle as `a -> b -> a`.
  static String show(List<String> cycle) {
    var first = cycle.getFirst();
    if (cycle.size() <= SHOWN_MAX) return String.join(" -> ", cycle) + " -> " + first;
    var shown = String.join(" -> ", cycle.subList(0, SHOWN_MAX));
    return shown + " -> (" + (cycle.size() - SHOWN_MAX) + " more) -> " + first;
  }
}
