package dev.superstep.server.internal.wire.stream;

import dev.superstep.checkpoint.Activation;
import dev.superstep.event.Event;
import dev.superstep.event.Origin;
import dev.superstep.server.internal.wire.GraphWire;
import dev.superstep.server.internal.wire.WireIds;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Knows where in a run its events happen: the tasks at work, and the namespaces of the graphs
/// inside. For one run and one thread.
final class StreamPlaces {
  private final GraphWire root;
  private final RunContext run;
  private final Map<String, TaskPlace> tasks = new HashMap<>();
  private final Map<List<String>, String> namespaces = new HashMap<>();
  private final Map<List<String>, Optional<GraphWire>> wires = new HashMap<>();

  StreamPlaces(GraphWire root, RunContext run) {
    this.root = root;
    this.run = run;
  }

  /// A task at work.
  ///
  /// @param path of the graph that it belongs to
  /// @param namespace of that graph
  record TaskPlace(
      String task, String node, List<String> path, String namespace, int step, Activation why) {
    List<String> triggers() {
      return switch (why) {
        case Activation.Sent _ -> List.of("__pregel_push");
        case Activation.Triggered(var channels) -> channels;
        case Activation.Joined _ -> List.of("join:" + node);
        case Activation.Entry _,
            Activation.Edge _,
            Activation.Routed _,
            Activation.Commanded _,
            Activation.Resumed _ ->
            List.of("branch:to:" + node);
      };
    }

    /// The namespace of a graph inside the task.
    String inside() {
      var segment = WireIds.segment(node, task);
      return namespace.isEmpty() ? segment : namespace + "|" + segment;
    }
  }

  void note(Event event) {
    switch (event) {
      case Event.NodeStarted e -> note(e.origin(), e.node(), e.task(), e.activation());
      case Event.NodeCached e -> note(e.origin(), e.node(), e.task(), e.activation());
      case Event.TaskStarted e -> note(e.origin(), e.node(), e.task(), e.activation());
      default -> {}
    }
  }

  /// Forgets what a superstep of a graph has ended.
  void forget(List<String> path) {
    tasks.values().removeIf(task -> task.path().equals(path));
    int depth = path.size();
    namespaces
        .keySet()
        .removeIf(inner -> inner.size() > depth && inner.subList(0, depth).equals(path));
  }

  private void note(Origin origin, String node, String task, Activation why) {
    var place =
        new TaskPlace(task, node, origin.path(), namespace(origin.path()), run.step(origin), why);
    tasks.put(task, place);
    var inside = new ArrayList<>(origin.path());
    inside.add(name(node, task));
    namespaces.put(List.copyOf(inside), place.inside());
  }

  /// The name of a task in the path of events: its node, with its place if there may be several.
  private static String name(String node, String task) {
    int slash = task.lastIndexOf('/');
    var last = task.substring(slash + 1);
    boolean isAlone = slash < 0 || last.equals(node);
    return isAlone ? node : node + "#" + last;
  }

  /// The place of a task, if it is at work.
  @Nullable TaskPlace task(String task) {
    return tasks.get(task);
  }

  /// The namespace of a graph; of one inside a task that is not known, made of its nodes.
  String namespace(List<String> path) {
    if (path.isEmpty()) return "";
    var known = namespaces.get(path);
    if (known != null) return known;
    var outer = namespace(path.subList(0, path.size() - 1));
    return outer.isEmpty() ? path.getLast() : outer + "|" + path.getLast();
  }

  /// The JSON forms of the graph of a path, or empty if it is none of the nodes' graphs.
  Optional<GraphWire> wire(List<String> path) {
    if (path.isEmpty()) return Optional.of(root);
    var known = wires.get(path);
    if (known == null) {
      var outer = wire(path.subList(0, path.size() - 1));
      known = outer.flatMap(graph -> graph.inside(node(path.getLast())));
      wires.put(List.copyOf(path), known);
    }
    return known;
  }

  private static String node(String name) {
    int place = name.indexOf('#');
    return place < 0 ? name : name.substring(0, place);
  }

  /// The id under which clients know the run's graph.
  String graph() {
    return root.served().id();
  }
}
