package dev.superstep.server.internal.wire.stream;

import dev.superstep.server.internal.wire.Trees;
import dev.superstep.server.internal.wire.stream.ProtocolEventList.Namespace;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/// The channel `lifecycle` of the protocol for the graphs inside a run: each begins before anything
/// else of it is told, and ends before the graphs around it. For one run and one thread.
final class GraphLifecycle {
  private static final String METHOD = "lifecycle";

  private final Map<Namespace, String> open = new LinkedHashMap<>();
  private final Set<Namespace> ended = new HashSet<>();

  /// Tells that the graphs on the way to a namespace have begun, if that was not told.
  void begin(Namespace namespace, ProtocolEventList events) {
    for (var graph : namespace.way()) {
      if (open.containsKey(graph) || ended.contains(graph)) continue;
      var name = name(graph);
      open.put(graph, name);
      events.add(graph, METHOD, data("started", name));
    }
  }

  private static String name(Namespace graph) {
    var last = graph.segments().getLast();
    int colon = last.indexOf(':');
    return colon < 0 ? last : last.substring(0, colon);
  }

  private static ObjectNode data(String status, String graph) {
    return Trees.object().put("event", status).put("graph_name", graph);
  }

  /// Tells that a graph has ended, and what is still open inside it before.
  void complete(Namespace namespace, ProtocolEventList events) {
    for (var graph : inside(namespace)) {
      events.add(graph, METHOD, data("completed", open.getOrDefault(graph, "")));
      open.remove(graph);
      ended.add(graph);
    }
  }

  private List<Namespace> inside(Namespace namespace) {
    var all = new ArrayList<Namespace>();
    for (var graph : open.keySet()) if (graph.isInside(namespace)) all.addFirst(graph);
    return all;
  }

  /// The ends of all graphs that are still open, the innermost first.
  ///
  /// @param status of the run's end
  List<ProtocolEvent> end(String run, String status, long millis) {
    var all = new ArrayList<ProtocolEvent>();
    for (var graph : inside(Namespace.ROOT)) {
      var data = data(status, open.getOrDefault(graph, ""));
      all.add(
          new ProtocolEvent(
              run, METHOD, graph.segments(), millis, java.util.Optional.empty(), data));
    }
    open.clear();
    return all;
  }
}
