package dev.superstep.bench.limit;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;

/// The least engine that runs nodes one after the other on a state of named values. Immutable.
///
/// @param nodes by name
/// @param edges by name of the node: what follows, or null at the end
record Steps(Map<String, Node> nodes, Map<String, Edge> edges, String first) {
  /// Returns what it changes.
  interface Node {
    Map<String, Object> run(Map<String, Object> state) throws Exception;
  }

  /// Names the next node, or null at the end.
  interface Edge {
    @Nullable String next(Map<String, Object> state);
  }

  /// One node that counts up to a number in the state's `n`.
  static Steps loop(long steps, Node node) {
    return new Steps(
        Map.of("count", node),
        Map.of("count", state -> n(state) < steps ? "count" : null),
        "count");
  }

  /// What counts.
  static Map<String, Object> count(Map<String, Object> state) {
    return Map.of("n", n(state) + 1);
  }

  /// What it has counted to.
  static long n(Map<String, Object> state) {
    return (long) Objects.requireNonNull(state.get("n"));
  }

  /// Calls each node where it is.
  Map<String, Object> run(Map<String, Object> input, int limit) throws Exception {
    var state = input;
    String at = first;
    for (int step = 0; at != null; step++) {
      if (step == limit) throw new IllegalStateException("more than " + limit + " steps");
      state = with(state, Objects.requireNonNull(nodes.get(at)).run(state));
      at = Objects.requireNonNull(edges.get(at)).next(state);
    }
    return state;
  }

  /// Gives each node to a thread of its own and waits for it.
  Map<String, Object> run(Map<String, Object> input, int limit, ExecutorService threads)
      throws Exception {
    var state = input;
    String at = first;
    for (int step = 0; at != null; step++) {
      if (step == limit) throw new IllegalStateException("more than " + limit + " steps");
      var node = Objects.requireNonNull(nodes.get(at));
      var seen = state;
      state = with(state, threads.submit(() -> node.run(seen)).get());
      at = Objects.requireNonNull(edges.get(at)).next(state);
    }
    return state;
  }

  private static Map<String, Object> with(Map<String, Object> state, Map<String, Object> changed) {
    var next = new HashMap<>(state);
    next.putAll(changed);
    return Map.copyOf(next);
  }
}
