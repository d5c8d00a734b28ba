package dev.superstep.server.internal.wire.stream;

import dev.superstep.agent.Agent;
import dev.superstep.agent.run.AgentEvent;
import dev.superstep.event.Event;
import dev.superstep.message.ToolCall;
import dev.superstep.server.internal.wire.MessageJson;
import dev.superstep.server.internal.wire.Trees;
import dev.superstep.server.internal.wire.WireIds;
import java.util.HashMap;
import java.util.Map;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The frames of the mode `events`: graphs and nodes as chains, the calls of models and tools, and
/// what nodes publish themselves. For one run and one thread.
final class EventFrames {
  private final RunContext run;
  private final StreamPlaces places;
  private final MessageFrames messages;
  private final Map<String, StringBuilder> said = new HashMap<>();
  private final Map<String, ToolCall> calls = new HashMap<>();

  EventFrames(RunContext run, StreamPlaces places, MessageFrames messages) {
    this.run = run;
    this.places = places;
    this.messages = messages;
  }

  void of(Event event, FrameList frames) {
    if (!frames.has(StreamMode.EVENTS)) return;
    switch (event) {
      case Event.RunStarted _ -> graph("on_chain_start", frames);
      case Event.RunCompleted _ -> graph("on_chain_end", frames);
      case Event.TaskStarted e ->
          e.argument().flatMap(Agent::sentCall).ifPresent(call -> calls.put(call.id(), call));
      case Event.NodeStarted e -> add("on_chain_start", task(e.node(), e.task()), frames);
      case Event.NodeUpdated e -> {
        var end = task(e.node(), e.task());
        places
            .wire(e.origin().path())
            .ifPresent(wire -> end.data().set("output", wire.update(e.writes())));
        add("on_chain_end", end, frames);
      }
      case Event.TextArrived e -> text(e, frames);
      case Event.NodeEmitted e -> emitted(e, frames);
      default -> {}
    }
  }

  private void text(Event.TextArrived event, FrameList frames) {
    var piece = event.piece();
    var id = messages.id(event.task(), event.attempt(), piece.call());
    said.computeIfAbsent(id, _ -> new StringBuilder()).append(piece.text());
    var stream = inside(event.task(), piece.model(), id);
    stream.data().set("chunk", MessageJson.chunk(id, piece.text()));
    add("on_chat_model_stream", stream, frames);
  }

  private void emitted(Event.NodeEmitted event, FrameList frames) {
    var agents = AgentEvent.of(event).orElse(null);
    switch (agents) {
      case AgentEvent.ModelStarted(_, var call, var model, _) ->
          add("on_chat_model_start", model(event.task(), call, model), frames);
      case AgentEvent.ModelCompleted e -> {
        var end = model(event.task(), e.call(), e.model());
        var text = said.remove(end.id());
        if (text != null) {
          end.data().set("output", MessageJson.chunk(end.id(), text.toString()));
        }
        end.data().set("usage_metadata", MessageJson.usage(e.usage()));
        add("on_chat_model_end", end, frames);
      }
      case AgentEvent.ToolStarted(_, var call, var tool) -> {
        var start = inside(event.task(), tool, call);
        var known = calls.remove(call);
        if (known != null) start.data().set("input", ToolFrames.arguments(known.arguments()));
        add("on_tool_start", start, frames);
      }
      case AgentEvent.ToolCompleted(_, var call, var tool, _) ->
          add("on_tool_end", inside(event.task(), tool, call), frames);
      case AgentEvent.ToolFailed(_, var call, var tool, _) ->
          add("on_tool_error", inside(event.task(), tool, call), frames);
      case null, default -> {
        var json = base("on_custom_event", inside(event.task(), event.name(), event.task()));
        json.set("data", Trees.of(event.payload()));
        frames.add(StreamMode.EVENTS, json);
      }
    }
  }

  /// A call that an event is about.
  ///
  /// @param id of the call, unique in the run
  /// @param parents the ids of the calls that it is part of, outermost first
  private record Traced(String id, String name, ArrayNode parents, ObjectNode data) {}

  private void graph(String event, FrameList frames) {
    var parents = Trees.object().arrayNode();
    add(event, new Traced(run.run(), places.graph(), parents, Trees.object()), frames);
  }

  private Traced task(String node, String task) {
    return new Traced(WireIds.task(task), node, parents(task), Trees.object());
  }

  private Traced model(String task, int call, String model) {
    return inside(task, model, messages.id(task, 1, call));
  }

  private Traced inside(String task, String name, String id) {
    return new Traced(id, name, parents(task).add(WireIds.task(task)), Trees.object());
  }

  /// The run, and the tasks whose graphs the task is in.
  private ArrayNode parents(String task) {
    var all = Trees.object().arrayNode().add(run.run());
    var place = places.task(task);
    if (place == null || place.namespace().isEmpty()) return all;
    for (var segment : place.namespace().split("\\|", -1)) {
      all.add(segment.substring(segment.lastIndexOf(':') + 1));
    }
    return all;
  }

  private void add(String event, Traced call, FrameList frames) {
    var json = base(event, call);
    json.set("data", call.data());
    frames.add(StreamMode.EVENTS, json);
  }

  private ObjectNode base(String event, Traced call) {
    var json = Trees.object().put("event", event).put("name", call.name()).put("run_id", call.id());
    json.putArray("tags");
    var metadata = json.putObject("metadata");
    metadata.put("run_id", run.run()).put("thread_id", run.thread());
    json.set("parent_ids", call.parents());
    return json;
  }
}
