package dev.superstep.server.internal.wire.stream;

import dev.superstep.checkpoint.Checkpoint.Source;
import dev.superstep.checkpoint.TaskId;
import dev.superstep.event.Event;
import dev.superstep.event.Origin;
import dev.superstep.graph.Graph;
import dev.superstep.server.internal.wire.StateJson;
import dev.superstep.server.internal.wire.Trees;
import dev.superstep.server.internal.wire.WireIds;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// The frames about checkpoints. For one run and one thread.
final class CheckpointFrames {
  private final RunContext run;
  private final StreamPlaces places;
  private final Map<List<String>, Event.CheckpointSaved> pending = new HashMap<>();
  private final Map<List<String>, ObjectNode> values = new HashMap<>();
  private final Map<List<String>, String> newest = new HashMap<>();
  private final Map<List<String>, String> generations = new HashMap<>();

  CheckpointFrames(RunContext run, StreamPlaces places) {
    this.run = run;
    this.places = places;
  }

  /// Sets the state from which the run begins.
  void begin(ObjectNode state) {
    values.put(List.of(), state);
  }

  /// The last known state of a graph.
  ObjectNode values(List<String> path) {
    return values.getOrDefault(path, Trees.object());
  }

  void started(Origin origin, String task) {
    int slash = task.indexOf('/');
    if (slash > 0) generations.put(origin.path(), task.substring(0, slash));
  }

  void saved(Event.CheckpointSaved saved, FrameList frames) {
    var path = saved.origin().path();
    pending.put(path, saved);
    if (saved.source() == Source.INPUT) {
      WireIds.before(saved.checkpoint()).ifPresent(id -> beforeInput(saved, id, frames));
    }
  }

  private void beforeInput(Event.CheckpointSaved saved, String id, FrameList frames) {
    var path = saved.origin().path();
    var task = Trees.object().put("id", WireIds.task(id)).put("name", Graph.START);
    task.putArray("interrupts");
    task.putNull("state");
    var json = checkpoint(saved.origin(), id, parent(saved));
    json.set("values", values(path));
    json.set("metadata", metadata(saved.origin(), "input", -1));
    json.putArray("next").add(Graph.START);
    json.putArray("tasks").add(task);
    add(saved.origin(), -1, json, frames);
  }

  private static Optional<String> parent(Event.CheckpointSaved saved) {
    return saved.parent().filter(id -> !id.isEmpty());
  }

  /// The state of a graph: of the checkpoint that was saved last.
  void state(Event.StateValues event, ObjectNode shown, FrameList frames) {
    var path = event.origin().path();
    values.put(path, shown);
    if (!event.checkpoint().isEmpty()) newest.put(path, event.checkpoint());
    var saved = pending.remove(path);
    if (saved == null || !saved.checkpoint().equals(event.checkpoint())) return;
    boolean isInput = saved.source() == Source.INPUT;
    var parent = isInput ? WireIds.before(saved.checkpoint()) : parent(saved);
    var json = checkpoint(saved.origin(), saved.checkpoint(), parent);
    json.set("values", shown);
    json.set("metadata", metadata(saved.origin(), StateJson.source(saved.source()), 0));
    var next = json.putArray("next");
    saved.next().forEach(next::add);
    var tasks = json.putArray("tasks");
    for (int i = 0; i < saved.next().size(); i++) tasks.add(due(saved, i));
    add(saved.origin(), 0, json, frames);
  }

  private ObjectNode due(Event.CheckpointSaved saved, int place) {
    var origin = saved.origin();
    var node = saved.next().get(place);
    var json = Trees.object();
    var task = task(origin, node, place);
    // That of a graph inside is not known before it has begun.
    if (task != null) json.put("id", WireIds.task(task));
    json.put("name", node).putArray("interrupts");
    return json.putNull("state");
  }

  private @Nullable String task(Origin origin, String node, int place) {
    // The tasks after an input begin with the run that it began.
    var first = origin.path().isEmpty() ? origin.run() : null;
    var known = generations.get(origin.path());
    var generation = known != null ? known : first;
    var wire = places.wire(origin.path());
    if (generation == null || wire.isEmpty()) return null;
    int step = origin.step() + 1;
    return wire.get().isSent(node)
        ? TaskId.of(generation, step, node, place)
        : TaskId.of(generation, step, node);
  }

  private ObjectNode checkpoint(Origin origin, String id, Optional<String> parent) {
    var json = Trees.object();
    var own = name(origin, id);
    var before = parent.<JsonNode>map(one -> name(origin, one));
    json.set("config", configured(own));
    json.set("checkpoint", own);
    json.set(
        "parent_config", before.<JsonNode>map(CheckpointFrames::configured).orElseGet(this::none));
    json.set("parent_checkpoint", before.orElseGet(this::none));
    return json;
  }

  private JsonNode none() {
    return JsonNodeFactory.instance.nullNode();
  }

  private static ObjectNode configured(JsonNode checkpoint) {
    var json = Trees.object();
    json.set("configurable", checkpoint.deepCopy());
    return json;
  }

  private ObjectNode name(Origin origin, String id) {
    var namespace = places.namespace(origin.path());
    var json = Trees.object().put("thread_id", run.thread()).put("checkpoint_ns", namespace);
    json.put("checkpoint_id", id);
    if (namespace.isEmpty()) return json;
    var map = json.putObject("checkpoint_map");
    parents(origin).forEach(map::put);
    map.put(namespace, id);
    return json;
  }

  private Map<String, String> parents(Origin origin) {
    var all = new java.util.LinkedHashMap<String, String>();
    for (int depth = 0; depth < origin.path().size(); depth++) {
      var path = origin.path().subList(0, depth);
      var checkpoint = newest.get(path);
      if (checkpoint != null) all.put(places.namespace(path), checkpoint);
    }
    return all;
  }

  private ObjectNode metadata(Origin origin, String source, int before) {
    var json = Trees.object();
    run.metadata().forEach(json::set);
    json.put("source", source).put("step", run.step(origin) + before);
    var parents = json.putObject("parents");
    parents(origin).forEach(parents::put);
    return json;
  }

  private void add(Origin origin, int before, ObjectNode json, FrameList frames) {
    frames.add(StreamMode.CHECKPOINTS, json);
    if (frames.has(StreamMode.DEBUG)) {
      frames.add(StreamMode.DEBUG, debug(origin, "checkpoint", run.step(origin) + before, json));
    }
  }

  static ObjectNode debug(Origin origin, String type, int step, ObjectNode payload) {
    var json = Trees.object().put("step", step).put("timestamp", origin.at().toString());
    json.put("type", type);
    json.set("payload", payload);
    return json;
  }
}
