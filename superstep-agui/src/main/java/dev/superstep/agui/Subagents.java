package dev.superstep.agui;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The graphs inside a run, such as agents that an agent calls, as subagents of AG-UI. For one run
/// and one thread.
final class Subagents {
  private final Map<String, String> open = new LinkedHashMap<>();
  private final Map<String, Integer> begun = new HashMap<>();
  private final Map<String, JsonNode> calls = new HashMap<>();

  /// Notes a task of a graph. One that an agent has its tool run by names the call.
  void task(JsonNode data) {
    var call = data.path("input").path("call");
    var task = data.path("id").asString("");
    if (call.path("id").isString()) calls.put(task, call);
    else if (!data.has("triggers")) calls.remove(task);
  }

  private static String name(JsonNode namespace) {
    var name = new StringBuilder();
    for (var segment : namespace) {
      if (!name.isEmpty()) name.append('|');
      name.append(segment.asString(""));
    }
    return name.toString();
  }

  private static String around(String name) {
    int bar = name.lastIndexOf('|');
    return bar < 0 ? "" : name.substring(0, bar);
  }

  /// The innermost subagent around a namespace; empty if it is the agent itself.
  String owner(JsonNode namespace) {
    return ownerOf(name(namespace));
  }

  private String ownerOf(String name) {
    for (var at = name; !at.isEmpty(); at = around(at)) {
      var id = open.get(at);
      if (id != null) return id;
    }
    return "";
  }

  /// An event that names its subagent, if it has one.
  static ObjectNode owned(ObjectNode event, String owner) {
    return owner.isEmpty() ? event : event.put("subagentRunId", owner);
  }

  // --- Begin and end ---

  /// Begins one. If another process has taken the run over, those that were open go on.
  void begin(JsonNode namespace, String graph, EventList events) {
    var name = name(namespace);
    if (open.containsKey(name)) return;
    // Ids count for one invocation, and one that had ended may begin anew.
    int times = begun.merge(name, 1, Integer::sum);
    var id = times == 1 ? name : name + "#" + times;
    var parent = ownerOf(around(name));
    open.put(name, id);
    var segment = namespace.path(namespace.size() - 1).asString("");
    var call = calls.get(segment.substring(segment.indexOf(':') + 1));
    var event = events.add("SUBAGENT_STARTED").put("subagentRunId", id);
    event.put("name", call == null ? graph : call.path("tool").asString(graph));
    if (!parent.isEmpty()) event.put("parentSubagentRunId", parent);
    if (call != null) event.set("parentToolCallId", call.path("id"));
  }

  /// Ends one.
  ///
  /// @param status as the server tells it
  /// @param askers the open questions of the run, with the subagents that ask them
  void end(JsonNode namespace, String status, Map<String, String> askers, EventList events) {
    var id = open.remove(name(namespace));
    if (id != null) end(id, status, askers, events);
  }

  private static void end(String id, String status, Map<String, String> askers, EventList events) {
    if (status.equals("completed")) {
      events.add("SUBAGENT_FINISHED").put("subagentRunId", id);
    } else if (status.equals("failed") || askers.isEmpty()) {
      // Without a question, an interrupted run is one that was cancelled.
      var isFailed = status.equals("failed");
      var error = events.add("SUBAGENT_ERROR").put("subagentRunId", id);
      error.put("message", isFailed ? "It failed." : "It was cancelled.");
      error.put("code", isFailed ? "failed" : "cancelled");
    } else {
      var event = events.add("SUBAGENT_FINISHED").put("subagentRunId", id);
      var outcome = event.putObject("outcome").put("type", "suspended");
      var own = outcome.putArray("interruptIds");
      askers.forEach((question, asker) -> {
        if (asker.equals(id)) own.add(question);
      });
    }
  }

  /// Ends those that are still open, the innermost first.
  void endAll(String status, Map<String, String> askers, EventList events) {
    for (var id : new ArrayList<>(open.values()).reversed()) end(id, status, askers, events);
    open.clear();
  }
}
