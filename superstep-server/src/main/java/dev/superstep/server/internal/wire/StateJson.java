package dev.superstep.server.internal.wire;

import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.checkpoint.Checkpoint.Source;
import dev.superstep.checkpoint.Interrupt;
import dev.superstep.graph.Graph;
import dev.superstep.run.ThreadState;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// States of threads as LangGraph's clients read them. For one graph of a thread. Immutable.
public final class StateJson {
  private static final String CHECKPOINT = "checkpoint";

  private final String thread;
  private final CheckpointLine line;
  private final boolean isDeep;

  /// @param isDeep whether the states of graphs inside are in place of the names of their
  ///   checkpoints
  public StateJson(String thread, CheckpointLine line, boolean isDeep) {
    this.thread = thread;
    this.line = line;
    this.isDeep = isDeep;
  }

  /// The state of a graph of which nothing is saved.
  public ObjectNode empty() {
    var json = Trees.object();
    json.putObject("values");
    json.putArray("next");
    json.putArray("tasks");
    json.putNull(CHECKPOINT);
    json.putObject("metadata");
    json.putNull("created_at").putNull("parent_checkpoint");
    json.putArray("interrupts");
    return json;
  }

  /// The newest state.
  public Optional<ObjectNode> newest() {
    return line.state()
        .flatMap(state -> line.find(state.checkpoint()).map(found -> of(state, found, true)));
  }

  /// The state at a checkpoint.
  public Optional<ObjectNode> at(Checkpoint checkpoint) {
    return line.state(checkpoint.id()).map(state -> of(state, checkpoint, false));
  }

  private ObjectNode of(ThreadState state, Checkpoint checkpoint, boolean isNewest) {
    var json = Trees.object();
    json.set("values", line.wire().values(state.state()));
    var next = json.putArray("next");
    for (var task : state.tasks()) {
      if (!isNewest || !task.isFinished()) next.add(task.node());
    }
    var tasks = json.putArray("tasks");
    for (int i = 0; i < state.tasks().size(); i++) tasks.add(task(state, i));
    json.set(CHECKPOINT, name(checkpoint.id()));
    json.set("metadata", metadata(checkpoint, source(checkpoint.source()), 0));
    json.put("created_at", checkpoint.at().toString());
    json.set("parent_checkpoint", name(parent(checkpoint)));
    json.set("interrupts", interrupts(state.questions()));
    return json;
  }

  private Optional<String> parent(Checkpoint checkpoint) {
    return checkpoint.source() == Source.INPUT
        ? WireIds.before(checkpoint.id())
        : line.parent(checkpoint);
  }

  /// The state before an input, which the engine does not save by itself.
  public ObjectNode beforeInput(Checkpoint input) {
    var id = WireIds.before(input.id()).orElseThrow();
    var before = line.parent(input);
    var json = Trees.object();
    json.set(
        "values",
        before
            .flatMap(line::state)
            .map(state -> line.wire().values(state.state()))
            .orElseGet(Trees::object));
    json.putArray("next").add(Graph.START);
    var task = json.putArray("tasks").addObject();
    task.put("id", WireIds.task(id)).put("name", Graph.START);
    task.putArray("path").add("__pregel_pull").add(Graph.START);
    task.putNull("error").putArray("interrupts");
    task.putNull("checkpoint").putNull("state").putNull("result");
    json.set(CHECKPOINT, name(id));
    json.set("metadata", metadata(input, "input", -1));
    json.put("created_at", input.at().toString());
    var named = Optional.ofNullable(input.metadata().get(RunMetadata.PARENT));
    json.set("parent_checkpoint", name(named.or(() -> before)));
    json.putArray("interrupts");
    return json;
  }

  private ObjectNode task(ThreadState state, int place) {
    var task = state.tasks().get(place);
    var json = Trees.object().put("id", WireIds.task(task.id())).put("name", task.node());
    var path = json.putArray("path");
    if (state.sent().containsKey(task.id())) path.add("__pregel_push").add(place);
    else path.add("__pregel_pull").add(task.node());
    var failure = task.failure();
    if (failure.isPresent()) json.put("error", failure.get().message());
    else json.putNull("error");
    json.set("interrupts", interrupts(task.questions()));
    inside(json, state, task);
    if (task.isFinished()) json.set("result", line.wire().update(task.writes()));
    else json.putNull("result");
    return json;
  }

  private void inside(ObjectNode json, ThreadState state, ThreadState.DueTask task) {
    json.putNull("checkpoint").putNull("state");
    if (line.wire().inside(task.node()).isEmpty()) return;
    var due = new CheckpointLine.DueTask(task.id(), task.node(), task.name());
    var inner = line.inside(state.checkpoint(), due);
    if (!isDeep) {
      json.set(CHECKPOINT, place(inner.namespace()));
      return;
    }
    var deep = new StateJson(thread, inner, true).newest();
    deep.ifPresent(inside -> json.set("state", inside));
  }

  public static ArrayNode interrupts(List<Interrupt> questions) {
    var all = JsonNodeFactory.instance.arrayNode();
    for (var question : questions) all.add(InterruptJson.of(question));
    return all;
  }

  private ObjectNode metadata(Checkpoint checkpoint, String source, int before) {
    var json = RunMetadata.shown(checkpoint.metadata());
    json.put("source", source);
    // A graph inside has one input.
    boolean isOuter = line.namespace().isEmpty();
    int step = checkpoint.step();
    json.put("step", before + (isOuter ? RunMetadata.step(checkpoint.metadata(), step) : step));
    var parents = json.putObject("parents");
    line.around().forEach(parents::put);
    return json;
  }

  /// The name of the operation that made a checkpoint. An input is what its first step folded.
  public static String source(Source source) {
    return switch (source) {
      case INPUT, LOOP -> "loop";
      case UPDATE, MIGRATION -> "update";
      case FORK -> "fork";
    };
  }

  private ObjectNode place(String namespace) {
    return Trees.object().put("thread_id", thread).put("checkpoint_ns", namespace);
  }

  private JsonNode name(Optional<String> checkpoint) {
    return checkpoint.<JsonNode>map(this::name).orElseGet(JsonNodeFactory.instance::nullNode);
  }

  private ObjectNode name(String checkpoint) {
    var json = place(line.namespace()).put("checkpoint_id", checkpoint);
    if (line.namespace().isEmpty()) return json;
    var map = json.putObject("checkpoint_map");
    line.around().forEach(map::put);
    map.put(line.namespace(), checkpoint);
    return json;
  }
}
