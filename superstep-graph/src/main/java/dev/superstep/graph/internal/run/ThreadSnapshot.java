package dev.superstep.graph.internal.run;

import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.checkpoint.Interrupt;
import dev.superstep.checkpoint.TaskRecord;
import dev.superstep.graph.internal.kernel.CompiledGraph;
import dev.superstep.graph.internal.kernel.RunSettings;
import dev.superstep.graph.internal.kernel.Task;
import dev.superstep.graph.internal.persistence.CheckpointWriter;
import dev.superstep.graph.internal.persistence.StopMarkers;
import dev.superstep.json.Json;
import dev.superstep.run.ThreadState;
import dev.superstep.run.ThreadState.BlockReason;
import dev.superstep.run.ThreadState.BlockedNode;
import dev.superstep.run.ThreadState.DueTask;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The state of a saved thread, with the subgraphs inside its tasks. Runs nothing. Immutable.
final class ThreadSnapshot {
  private final String thread;

  /// The answers of the whole run: those to questions from subgraphs are saved with its outermost
  /// graph.
  private final Map<String, Json> answers;

  ThreadSnapshot(String thread, Map<String, Json> answers) {
    this.thread = thread;
    this.answers = answers;
  }

  /// @param options with the store of the graph
  /// @param path the nodes that lead to the graph
  ThreadState state(
      CompiledGraph graph,
      CheckpointWriter.LoadedCheckpoint loaded,
      RunSettings options,
      List<String> path) {
    var position = loaded.snapshot().position();
    var inside = inside(graph, loaded, options, path);
    return new ThreadState(
        loaded.snapshot(),
        position.checkpoint(),
        position.step(),
        position.due().stream().map(d -> d.node().name()).toList(),
        blocked(graph, loaded, inside),
        open(graph, loaded),
        loaded.checkpoint().metadata(),
        sent(loaded.checkpoint()),
        inside,
        tasks(graph, loaded));
  }

  private List<DueTask> tasks(CompiledGraph graph, CheckpointWriter.LoadedCheckpoint loaded) {
    var tasks = new ArrayList<DueTask>();
    for (var task : graph.kernel().plan(loaded.snapshot())) {
      var end = Optional.ofNullable(loaded.tasks().get(task.id())).map(TaskRecord::end);
      tasks.add(new DueTask(task.id(), task.node(), task.name(), end, open(task, loaded)));
    }
    return List.copyOf(tasks);
  }

  private static Map<String, Json> sent(Checkpoint checkpoint) {
    var sent = new LinkedHashMap<String, Json>();
    var tasks = checkpoint.tasks();
    for (int i = 0; i < tasks.size(); i++) {
      var task = tasks.get(i);
      checkpoint.progress().next().get(i).argument().ifPresent(json -> sent.put(task, json));
    }
    return sent;
  }

  private List<BlockedNode> blocked(
      CompiledGraph graph,
      CheckpointWriter.LoadedCheckpoint loaded,
      Map<String, ThreadState> inside) {
    var held = new ArrayList<BlockedNode>();
    var stopped = StopMarkers.by(loaded.steps());
    for (var task : graph.kernel().plan(loaded.snapshot())) {
      var record = loaded.tasks().get(task.id());
      if ((record != null && record.isFinal()) || task.isWaiting(answers)) continue;
      var deeper = inside.get(task.name());
      if (task.isSkipped()) held.add(new BlockedNode(task.node(), BlockReason.GATE));
      else if (stopped != null && record == null) held.add(new BlockedNode(task.node(), stopped));
      else if (deeper != null && holds(deeper, BlockReason.PAUSE))
        held.add(new BlockedNode(task.node(), BlockReason.PAUSE));
      else if (deeper != null && holds(deeper, BlockReason.DRAIN))
        held.add(new BlockedNode(task.node(), BlockReason.DRAIN));
    }
    for (var due : loaded.snapshot().position().deferred()) {
      held.add(new BlockedNode(due.node().name(), BlockReason.DEFERRED));
    }
    return List.copyOf(held);
  }

  private static boolean holds(ThreadState state, BlockReason by) {
    return state.blocked().stream().anyMatch(held -> held.reason() == by);
  }

  private Map<String, ThreadState> inside(
      CompiledGraph graph,
      CheckpointWriter.LoadedCheckpoint loaded,
      RunSettings options,
      List<String> path) {
    var states = new LinkedHashMap<String, ThreadState>();
    for (var task : graph.kernel().plan(loaded.snapshot())) {
      var inside = graph.subgraph(task.due().node());
      var record = loaded.tasks().get(task.id());
      if (inside == null || inside.subgraph().isChosen() || (record != null && record.isFinal()))
        continue;
      var store = inside.store(options);
      if (store == null) continue;
      var deeper = new ArrayList<>(path);
      deeper.add(task.name());
      inside.lineages(thread, task, deeper).stream()
          .flatMap(line ->
              CheckpointWriter.reading(inside.graph(), store, line, options).load().stream())
          .filter(in -> inside.isOf(task, in.snapshot()))
          .findFirst()
          .map(in -> state(inside.graph(), in, options.withCheckpointer(store), deeper))
          .ifPresent(state -> states.put(task.name(), state));
    }
    return states;
  }

  /// The questions that wait for an answer, in task order.
  List<Interrupt> open(CompiledGraph graph, CheckpointWriter.LoadedCheckpoint loaded) {
    var open = new ArrayList<Interrupt>();
    for (var task : graph.kernel().plan(loaded.snapshot())) open.addAll(open(task, loaded));
    return open;
  }

  private List<Interrupt> open(Task task, CheckpointWriter.LoadedCheckpoint loaded) {
    var asked = task.question();
    if (asked != null && task.isWaiting(answers)) return List.of(asked);
    var record = loaded.tasks().get(task.id());
    if (record == null || !(record.end() instanceof TaskRecord.End.Waiting(var interrupts))) {
      return List.of();
    }
    return interrupts.stream().filter(one -> !answers.containsKey(one.id())).toList();
  }
}
