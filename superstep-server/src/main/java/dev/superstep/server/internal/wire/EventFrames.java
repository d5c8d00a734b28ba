package dev.superstep.server.internal.wire;

import dev.superstep.event.Event;
import tools.jackson.databind.node.ObjectNode;

/// The frames of the mode `events`: nodes as chains, and what models say. For one event.
record EventFrames(RunContext run, StreamPlaces places, MessageFrames messages) {
  void of(Event event, FrameList frames) {
    if (!frames.has(StreamMode.EVENTS)) return;
    switch (event) {
      case Event.RunStarted _ -> add("on_chain_start", places.graph(), run.run(), frames);
      case Event.RunCompleted _ -> add("on_chain_end", places.graph(), run.run(), frames);
      case Event.NodeStarted e -> add("on_chain_start", e.node(), WireIds.task(e.task()), frames);
      case Event.NodeUpdated e -> {
        var data = Trees.object();
        places
            .wire(e.origin().path())
            .ifPresent(wire -> data.set("output", wire.update(e.writes())));
        var json = base("on_chain_end", e.node(), WireIds.task(e.task()));
        json.set("data", data);
        frames.add(StreamMode.EVENTS, json);
      }
      case Event.TextArrived e -> {
        var id = messages.id(e.task(), e.attempt(), e.piece().call());
        var json = base("on_chat_model_stream", e.piece().model(), id);
        json.putObject("data").set("chunk", MessageJson.chunk(id, e.piece().text()));
        frames.add(StreamMode.EVENTS, json);
      }
      case Event.NodeEmitted e -> {
        var json = base("on_custom_event", e.name(), WireIds.task(e.task()));
        json.set("data", Trees.of(e.payload()));
        frames.add(StreamMode.EVENTS, json);
      }
      default -> {}
    }
  }

  private void add(String event, String name, String id, FrameList frames) {
    var json = base(event, name, id);
    json.putObject("data");
    frames.add(StreamMode.EVENTS, json);
  }

  private ObjectNode base(String event, String name, String id) {
    var json = Trees.object().put("event", event).put("name", name).put("run_id", id);
    json.putArray("tags");
    var metadata = json.putObject("metadata");
    metadata.put("run_id", run.run()).put("thread_id", run.thread());
    var parents = json.putArray("parent_ids");
    if (!id.equals(run.run())) parents.add(run.run());
    return json;
  }
}
