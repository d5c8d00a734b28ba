package dev.superstep.server.internal.wire.stream;

import dev.superstep.agent.run.AgentEvent;
import dev.superstep.event.Detail;
import dev.superstep.event.Event;
import dev.superstep.run.ThreadState;
import dev.superstep.server.internal.wire.GraphWire;
import dev.superstep.server.internal.wire.Trees;
import dev.superstep.server.internal.wire.stream.ProtocolEventList.Namespace;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Turns the events of a run into those of the event-streaming protocol, on all its channels. For
/// one run and one thread.
public final class ProtocolEvents {
  private static final String INTERRUPT = "__interrupt__";
  private static final String ANSWERED = "input.answered";
  private static final Set<StreamMode> MODES =
      EnumSet.of(
          StreamMode.VALUES,
          StreamMode.UPDATES,
          StreamMode.TASKS,
          StreamMode.CHECKPOINTS,
          StreamMode.TOOLS);

  private final GraphWire wire;
  private final RunContext run;
  private final StreamPlaces places;
  private final RunFrames frames;
  private final MessageEvents messages;
  private final GraphLifecycle graphs = new GraphLifecycle();
  private final Map<String, Namespace> asked = new LinkedHashMap<>();
  private final Set<String> answered = new HashSet<>();

  /// @param context of the run; its modes do not count
  public ProtocolEvents(GraphWire wire, RunContext context) {
    this.wire = wire;
    this.run = context.with(MODES, true);
    this.places = new StreamPlaces(wire, run);
    // As LangGraph's server does: those who follow a thread get its values whole.
    this.frames = new RunFrames(wire.whole(), run, places);
    this.messages = new MessageEvents(run, places);
  }

  /// The details that the run's listener must ask of the engine.
  public static Set<Detail> details() {
    return RunFrames.details(MODES);
  }

  /// Tells the state of the thread before the run, if there is one.
  public void begin(ThreadState state) {
    frames.begin(state);
  }

  /// The start of the run.
  ///
  /// @param answers the questions that it answers by their ids
  public List<ProtocolEvent> start(List<String> answers) {
    var all = new ArrayList<ProtocolEvent>();
    all.add(ProtocolEvent.lifecycle(run.run(), wire.served().id(), "running", Optional.empty()));
    if (!answers.isEmpty()) {
      all.add(
          ProtocolEvent.ofRoot(
              run.run(), ANSWERED, System.currentTimeMillis(), answeredData(answers)));
      answered.addAll(answers);
    }
    return all;
  }

  private static ObjectNode answeredData(List<String> ids) {
    var data = Trees.object();
    var all = data.putArray("interrupt_ids");
    ids.forEach(all::add);
    return data;
  }

  /// The events of an event of the engine; often none.
  public List<ProtocolEvent> of(Event event) {
    var made = frames.of(event);
    var events = new ProtocolEventList(run, event, places.namespace(event.origin().path()));
    switch (event) {
      case Event.InterruptRaised e -> asked.put(e.interrupt().id(), events.namespace());
      case Event.InterruptAnswered e -> {
        asked.remove(e.interrupt());
        if (answered.add(e.interrupt())) {
          events.add(Namespace.ROOT, ANSWERED, answeredData(List.of(e.interrupt())));
        }
      }
      case Event.SubgraphStarted _ -> graphs.begin(events.namespace(), events);
      case Event.NodeEmitted e -> emitted(e, events);
      default -> {}
    }
    messages.of(event, events);
    // The checkpoint comes before the values that it holds.
    for (var frame : made) if (isCheckpoint(frame)) add(frame, event, events);
    for (var frame : made) if (!isCheckpoint(frame)) add(frame, event, events);
    if (event instanceof Event.SubgraphCompleted) graphs.complete(events.namespace(), events);
    return begun(event, events);
  }

  /// With the start of graphs inside of which something is told for the first time, as after they
  /// were resumed.
  private List<ProtocolEvent> begun(Event event, ProtocolEventList events) {
    var all = new ArrayList<ProtocolEvent>();
    for (var one : events.all()) {
      if (!one.method().equals("lifecycle")) {
        var before = new ProtocolEventList(run, event, "");
        graphs.begin(new Namespace(one.namespace()), before);
        all.addAll(before.all());
      }
      all.add(one);
    }
    return all;
  }

  private static boolean isCheckpoint(RunFrame frame) {
    return frame.event().startsWith(StreamMode.CHECKPOINTS.text());
  }

  private static void emitted(Event.NodeEmitted event, ProtocolEventList events) {
    if (AgentEvent.of(event).isPresent()) return;
    var data = Trees.object().put("name", event.name());
    data.set("payload", Trees.of(event.payload()));
    events.add("custom", event.node(), data);
  }

  private void add(RunFrame frame, Event event, ProtocolEventList events) {
    int bar = frame.event().indexOf('|');
    var mode = bar < 0 ? frame.event() : frame.event().substring(0, bar);
    switch (mode) {
      case "values" -> values(frame.data(), events);
      case "updates" -> updates(frame.data(), events);
      case "tasks" -> events.add(mode, frame.data().path("name").asString(""), frame.data());
      case "checkpoints" -> events.add(mode, checkpoint(frame.data()));
      case "tools" -> {
        var node = event instanceof Event.OfNode of ? of.node() : "";
        events.add(mode, node, tool(frame.data()));
      }
      default -> {}
    }
  }

  private void values(JsonNode data, ProtocolEventList events) {
    for (var question : data.path(INTERRUPT)) {
      var requested = Trees.object();
      var id = question.path("id").asString("");
      requested.put("interrupt_id", id).set("payload", question.path("value"));
      // The client for Python reads it by another name.
      requested.set("value", question.path("value"));
      events.add(asked.getOrDefault(id, events.namespace()), "input.requested", requested);
    }
    if (!(data instanceof ObjectNode object)) return;
    var values = object.deepCopy();
    values.remove(INTERRUPT);
    boolean isPause = data.has(INTERRUPT) && values.isEmpty();
    if (!isPause) events.add("values", values);
  }

  private static void updates(JsonNode data, ProtocolEventList events) {
    data.forEachEntry((node, update) -> {
      if (node.equals(INTERRUPT)) return;
      var json = Trees.object().put("node", node);
      json.set("values", update.isObject() ? update : Trees.object());
      events.add("updates", node, json);
    });
  }

  private static ObjectNode checkpoint(JsonNode data) {
    var json = Trees.object();
    json.set("id", data.path("checkpoint").path("checkpoint_id"));
    var parent = data.path("parent_checkpoint").path("checkpoint_id");
    if (parent.isString()) json.set("parent_id", parent);
    json.set("step", data.path("metadata").path("step"));
    json.set("source", data.path("metadata").path("source"));
    return json;
  }

  private static ObjectNode tool(JsonNode data) {
    var json = Trees.object();
    var id = data.path("toolCallId");
    switch (data.path("event").asString("")) {
      case "on_tool_start" -> {
        json.put("event", "tool-started").set("tool_call_id", id);
        json.set("tool_name", data.path("name"));
        if (data.has("input")) json.set("input", data.path("input"));
      }
      case "on_tool_event" -> {
        json.put("event", "tool-output-delta").set("tool_call_id", id);
        json.set("delta", data.path("data"));
      }
      case "on_tool_error" -> {
        json.put("event", "tool-error").set("tool_call_id", id);
        json.set("message", data.path("error"));
      }
      default -> {
        json.put("event", "tool-finished").set("tool_call_id", id);
        json.set("output", data.path("output"));
      }
    }
    return json;
  }

  /// The end of the run, after the ends of what is open inside it.
  ///
  /// @param status `completed`, `failed` or `interrupted`
  /// @param error of a run that failed
  public List<ProtocolEvent> end(String status, Optional<JsonNode> error) {
    var all = new ArrayList<>(graphs.end(run.run(), status, System.currentTimeMillis()));
    all.add(ProtocolEvent.lifecycle(run.run(), wire.served().id(), status, error));
    return all;
  }
}
