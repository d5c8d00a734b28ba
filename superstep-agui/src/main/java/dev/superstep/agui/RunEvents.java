package dev.superstep.agui;

import dev.superstep.server.graph.ServedGraph;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Turns the events of a thread into those of one run of AG-UI. For one run and one thread.
final class RunEvents {
  private static final String VERSION = "1.0";

  private final RunInput input;
  private final RunStart.Started run;
  private final ServedGraph graph;
  private final SpokenMessages messages = new SpokenMessages();
  private final Subagents subagents = new Subagents();
  private final Set<String> results = new HashSet<>();
  private final Map<String, String> steps = new LinkedHashMap<>();
  private final Map<String, JsonNode> asked = new LinkedHashMap<>();
  private final Map<String, String> askers = new LinkedHashMap<>();
  private ObjectNode shown = Trees.object();
  private boolean hasSnapshot;
  private JsonNode values = Trees.object();
  private boolean isRunning;
  private boolean isOver;

  RunEvents(RunInput input, RunStart.Started run, ServedGraph graph) {
    this.input = input;
    this.run = run;
    this.graph = graph;
  }

  /// Returns whether the run has ended.
  boolean isOver() {
    return isOver;
  }

  /// The start of the stream.
  List<ObjectNode> begin() {
    var events = new EventList();
    var start = identified(events.add("RUN_STARTED")).put("protocolVersion", VERSION);
    if (!input.parent().isEmpty()) start.put("parentRunId", input.parent());
    for (var warning : run.warnings()) {
      events.add("CUSTOM").put("name", "superstep.warning").put("value", warning);
    }
    return events.all();
  }

  private ObjectNode identified(ObjectNode event) {
    return event.put("threadId", input.thread()).put("runId", input.run());
  }

  /// The events that follow from one of the thread; those of its other runs are left out.
  List<ObjectNode> of(JsonNode event) {
    var events = new EventList();
    var params = event.path("params");
    var data = params.path("data");
    var namespace = params.path("namespace");
    boolean isRoot = namespace.isEmpty();
    var method = event.path("method").asString("");
    if (method.equals("lifecycle") && isRoot) {
      lifecycle(event.path("event_id").asString(""), data, events);
      return events.all();
    }
    if (!isRunning || isOver) return List.of();
    var owner = subagents.owner(namespace);
    switch (method) {
      case "lifecycle" -> inside(namespace, data, events);
      case "messages" -> {
        var place = namespace + params.path("node").asString("");
        messages.of(place, owner, data, events);
      }
      case "tools" -> tool(data, events);
      case "custom" -> custom(data, owner, events);
      case "input.requested" -> {
        var id = data.path("interrupt_id").asString("");
        asked.put(id, data.path("payload"));
        askers.put(id, owner);
      }
      case "input.answered" -> {
        for (var id : data.path("interrupt_ids")) {
          asked.remove(id.asString(""));
          askers.remove(id.asString(""));
        }
      }
      case "values" -> {
        if (isRoot) values(data, events);
      }
      case "tasks" -> {
        subagents.task(data);
        if (isRoot) step(data, events);
      }
      default -> {}
    }
    return events.all();
  }

  /// The start or the end of a graph inside.
  private void inside(JsonNode namespace, JsonNode data, EventList events) {
    var status = data.path("event").asString("");
    if (status.equals("started")) {
      subagents.begin(namespace, data.path("graph_name").asString(""), events);
      return;
    }
    messages.closeOf(subagents.owner(namespace), events);
    subagents.end(namespace, status, askers, events);
  }

  private static void custom(JsonNode data, String owner, EventList events) {
    var name = data.path("name").asString("");
    // What agents record for those who run them; the end of the run has the sum.
    if (name.equals("usage.recorded")) return;
    var event = Subagents.owned(events.add("CUSTOM"), owner);
    event.put("name", name).set("value", data.path("payload"));
  }

  private void lifecycle(String id, JsonNode data, EventList events) {
    if (!id.startsWith("synth:" + run.run() + ":")) return;
    var status = data.path("event").asString("");
    if (status.equals("running")) {
      // Another process has taken the run over: what was being said is said anew.
      if (isRunning) closeAll(events);
      isRunning = true;
      return;
    }
    if (isOver) return;
    isOver = true;
    closeAll(events);
    subagents.endAll(status, askers, events);
    if (status.equals("failed")) {
      var error = events.add("RUN_ERROR").put("code", "failed");
      error.put("message", data.path("error").asString("The run failed."));
      usage(error);
      return;
    }
    finish(status, events);
  }

  private void closeAll(EventList events) {
    messages.closeAll(events);
    for (var name : steps.values()) events.add("STEP_FINISHED").put("stepName", name);
    steps.clear();
  }

  private void finish(String status, EventList events) {
    var conversation = values.path(graph.conversation().orElse("messages"));
    for (var message : conversation) answered(message, events);
    if (conversation.isArray()) {
      var snapshot = events.add("MESSAGES_SNAPSHOT");
      snapshot.set("messages", owned(ClientMessages.snapshot(input.messages(), conversation)));
    }
    var end = identified(events.add("RUN_FINISHED"));
    outcome(status, conversation, end);
    usage(end);
  }

  /// Messages with the subagents that said them, in this run or, as the client says, before.
  private ArrayNode owned(ArrayNode all) {
    var known = new HashMap<String, String>();
    for (var sent : input.messages()) {
      known.put(sent.path("id").asString(""), sent.path("subagentRunId").asString(""));
    }
    for (var message : all) {
      var id = message.path("id").asString("");
      var owner = messages.owner(message.path("toolCallId").asString(""));
      if (owner.isEmpty()) owner = messages.sayer(id);
      if (owner.isEmpty()) owner = known.getOrDefault(id, "");
      Subagents.owned((ObjectNode) message, owner);
    }
    return all;
  }

  private void outcome(String status, JsonNode conversation, ObjectNode end) {
    var pending = new ArrayList<String>();
    var interrupts = Trees.object().putArray("interrupts");
    asked.forEach((id, value) -> {
      var call = FrontEnd.callId(value);
      if (call.isEmpty()) {
        var interrupt = Interrupts.of(id, value, conversation);
        interrupts.add(Subagents.owned(interrupt, askers.getOrDefault(id, "")));
      } else pending.add(call);
    });
    if (!interrupts.isEmpty()) {
      end.putObject("outcome").put("type", "interrupt").set("interrupts", interrupts);
    } else if (!pending.isEmpty()) {
      var success = end.putObject("outcome").put("type", "success");
      if (new HashSet<>(pending).equals(unanswered())) {
        var ids = success.putArray("pendingToolCallIds");
        pending.forEach(ids::add);
      }
    } else {
      end.putObject("outcome").put("type", status.equals("completed") ? "success" : "cancelled");
    }
  }

  private Set<String> unanswered() {
    var all = new HashSet<String>();
    for (var call : messages.calls()) if (!results.contains(call)) all.add(call);
    return all;
  }

  private void usage(ObjectNode end) {
    var usage = messages.usage();
    if (!usage.isEmpty()) end.set("usage", usage);
  }

  // --- Tools ---

  private void tool(JsonNode data, EventList events) {
    var id = data.path("tool_call_id").asString("");
    switch (data.path("event").asString("")) {
      case "tool-finished" -> {
        var output = data.path("output");
        result(id, output.path("id").asString(""), text(output), events);
      }
      case "tool-error" ->
          result(id, "error:" + id, data.path("message").asString("The tool failed."), events);
      default -> {}
    }
  }

  /// A result that no event told, such as that of a call that a person has rejected.
  private void answered(JsonNode message, EventList events) {
    if (!message.path("type").asString("").equals("tool")) return;
    var id = message.path("tool_call_id").asString("");
    if (!messages.hasCall(id) && !isCallOfClient(id)) return;
    result(id, message.path("id").asString(""), text(message), events);
  }

  private static String text(JsonNode message) {
    return ClientMessages.text(message.path("content"));
  }

  private boolean isCallOfClient(String id) {
    for (var message : input.messages()) {
      for (var call : message.path("toolCalls")) {
        if (call.path("id").asString("").equals(id)) return true;
      }
    }
    return false;
  }

  private void result(String call, String message, String text, EventList events) {
    if (run.answered().contains(call) || !results.add(call)) return;
    var result = Subagents.owned(events.add("TOOL_CALL_RESULT"), messages.owner(call));
    result.put("messageId", message);
    result.put("toolCallId", call).put("content", text).put("role", "tool");
  }

  // --- State and steps ---

  private void values(JsonNode data, EventList events) {
    values = data;
    var state = Trees.object();
    var conversation = graph.conversation().orElse("");
    data.forEachEntry((name, value) -> {
      boolean isGiven = graph.outputs().isEmpty() || graph.outputs().contains(name);
      if (isGiven && !name.equals(conversation)) state.set(name, value);
    });
    if (!hasSnapshot) {
      // A client keeps its own state with a graph that has none.
      if (state.isEmpty()) return;
      events.add("STATE_SNAPSHOT").set("snapshot", state);
      hasSnapshot = true;
    } else {
      var delta = StateDelta.between(shown, state);
      if (!delta.isEmpty()) events.add("STATE_DELTA").set("delta", delta);
    }
    shown = state;
  }

  /// The names of open steps are unique, so of several tasks of a node the others have a number.
  private void step(JsonNode data, EventList events) {
    var task = data.path("id").asString("");
    var node = data.path("name").asString("");
    if (!data.has("triggers")) {
      var name = steps.remove(task);
      if (name != null) events.add("STEP_FINISHED").put("stepName", name);
      return;
    }
    if (steps.containsKey(task)) return;
    var name = node;
    for (int i = 2; steps.containsValue(name); i++) name = node + " " + i;
    steps.put(task, name);
    events.add("STEP_STARTED").put("stepName", name);
  }
}
