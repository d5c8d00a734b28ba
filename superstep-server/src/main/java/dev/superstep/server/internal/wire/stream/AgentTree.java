package dev.superstep.server.internal.wire.stream;

import dev.superstep.server.internal.wire.Trees;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The graphs of a run, each with its status, as a tree. For one run and one thread.
public final class AgentTree {
  private final Map<String, JsonNode> statuses = new TreeMap<>();
  private final List<List<String>> namespaces = new ArrayList<>();

  /// A tree of the run's own graph alone.
  ///
  /// @param status of the run, as of its lifecycle
  public AgentTree(String graph, String status) {
    namespaces.add(List.of());
    statuses.put("", Trees.object().put("event", status).put("graph_name", graph));
  }

  /// Notes an event of the run.
  ///
  /// @param stored in the form of [ProtocolEvent#stored]
  /// @return whether the run has ended with it
  public boolean note(JsonNode stored) {
    if (!stored.path("method").asString("").equals("lifecycle")) return false;
    var namespace = new ArrayList<String>();
    for (var segment : stored.path("params").path("namespace")) namespace.add(segment.asString(""));
    var data = stored.path("params").path("data");
    if (statuses.put(String.join("|", namespace), data) == null) namespaces.add(namespace);
    return namespace.isEmpty() && !data.path("event").asString("").equals("running");
  }

  /// The tree: `{namespace, status, graph_name, children}`.
  public ObjectNode json() {
    return json(List.of());
  }

  private ObjectNode json(List<String> namespace) {
    var data = statuses.getOrDefault(String.join("|", namespace), Trees.object());
    var json = Trees.object();
    var segments = json.putArray("namespace");
    namespace.forEach(segments::add);
    json.set("status", data.path("event"));
    json.set("graph_name", data.path("graph_name"));
    var children = namespaces.stream().filter(other -> isChild(other, namespace)).toList();
    if (children.isEmpty()) return json;
    var all = json.putArray("children");
    children.forEach(child -> all.add(json(child)));
    return json;
  }

  private static boolean isChild(List<String> other, List<String> of) {
    return other.size() == of.size() + 1 && other.subList(0, of.size()).equals(of);
  }
}
