package dev.superstep.graph;

import dev.superstep.checkpoint.Answer;
import dev.superstep.checkpoint.ChannelChange;
import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.Commit;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.Saved;
import dev.superstep.checkpoint.StepRecord;
import dev.superstep.checkpoint.TaskRecord;
import dev.superstep.json.Json;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/// The one place that saves: between the engine's snapshots and a checkpointer. Safe for many
/// threads.
final class Saving {
  private final Graph graph;
  private final Checkpointer store;
  private final Lineage lineage;
  private final Stored stored;
  private final @Nullable Enclosing around;

  Saving(Graph graph, Checkpointer store, Lineage lineage) {
    this(graph, store, lineage, null);
  }

  /// @param around the task that the graph runs inside of, if it is a subgraph
  Saving(Graph graph, Checkpointer store, Lineage lineage, @Nullable Enclosing around) {
    this.around = around;
    this.graph = graph;
    this.store = store;
    this.lineage = lineage;
    this.stored = new Stored(graph);
  }

  /// A thread as it was saved.
  ///
  /// @param tasks how the tasks that are due ended so far, by task id
  /// @param answers by interrupt id
  /// @param steps the results of side effects, by task id and key
  record Loaded(
      Snapshot snapshot,
      Checkpoint checkpoint,
      Map<String, TaskRecord> tasks,
      Map<String, Json> answers,
      Map<String, Map<String, Json>> steps) {}

  String thread() {
    return lineage.thread();
  }

  /// @throws ThreadError if another graph wrote the thread
  Optional<Loaded> load() {
    return store.latest(lineage).map(this::loaded);
  }

  /// Saves the checkpoint of a new snapshot.
  ///
  /// @throws ThreadError if someone else moved the thread on
  void commit(RunScope scope, Snapshot before, Kernel.Applied applied, Checkpoint.Source source) {
    checkWaitedFor();
    var next = applied.next();
    var parent = before.position().checkpoint();
    var checkpoint =
        new Checkpoint(
            Checkpoint.FORMAT,
            next.position().checkpoint(),
            parent.isEmpty() ? Optional.empty() : Optional.of(parent),
            next.step(),
            source,
            scope.options().clock().instant(),
            scope.run(),
            graph.name(),
            graph.hash(),
            Stored.progress(next.position()),
            scope.options().metadata());
    var changes = new ArrayList<ChannelChange>();
    for (var change : applied.changes()) {
      if (next.layout().channel(change.place()).isTracked()) {
        changes.add(Stored.change(next, change));
      }
    }
    if (!store.commit(new Commit(lineage, checkpoint, changes))) {
      throw new ThreadError(
          thread(),
          ThreadError.Reason.MOVED_ON,
          "was moved on by another run while this one was at work. What this run saved before is"
              + " kept; start again from the thread's newest state.");
    }
  }

  /// Saves how a task ended.
  void task(Snapshot at, Task task, Ended end) {
    checkWaitedFor();
    store.saveTask(
        lineage,
        at.position().checkpoint(),
        new TaskRecord(task.id(), task.node(), Stored.end(end)));
  }

  private void checkWaitedFor() {
    // Another attempt may be at work on the same lineage by now.
    if (around != null && !around.isWaitedFor()) {
      throw new CancellationException("the attempt was given up");
    }
  }

  /// A task's journal, with what is known from earlier runs.
  Journal journal(Snapshot at, Task task, Map<String, Json> known) {
    return new Journal(
        known,
        (key, result) -> {
          var step = new StepRecord(task.id(), key, result);
          return store.saveStep(lineage, at.position().checkpoint(), step).result();
        });
  }

  /// Saves that a run has paused here.
  void paused(Snapshot at) {
    var mark = new StepRecord(Pausing.MARK, Pausing.MARK, Json.of(true));
    store.saveStep(lineage, at.position().checkpoint(), mark);
  }

  /// Saves something that was so here, once.
  void mark(Snapshot at, String what, String key) {
    var mark = new StepRecord(what, key, Json.of(true));
    store.saveStep(lineage, at.position().checkpoint(), mark);
  }

  /// Says what the id of the checkpoint after this one will be, so that tasks can begin that will
  /// run from it.
  ///
  /// @return the id that stands
  String reserve(String checkpoint, String next) {
    var step = RunLoop.Before.reservation(next);
    return RunLoop.Before.reserved(store.saveStep(lineage, checkpoint, step).result());
  }

  /// What was kept of tasks that were begun ahead of their superstep, by the id that its checkpoint
  /// has or will have.
  RunLoop.Before before(String checkpoint) {
    return new RunLoop.Before(tasks(checkpoint), Map.of(), steps(checkpoint));
  }

  private Map<String, TaskRecord> tasks(String checkpoint) {
    var tasks = new HashMap<String, TaskRecord>();
    for (var task : store.tasks(lineage, checkpoint)) tasks.put(task.task(), task);
    return tasks;
  }

  private Map<String, Map<String, Json>> steps(String checkpoint) {
    var steps = new HashMap<String, Map<String, Json>>();
    for (var step : store.steps(lineage, checkpoint)) {
      steps.computeIfAbsent(step.task(), _ -> new HashMap<>()).put(step.key(), step.result());
    }
    return steps;
  }

  /// The result of a task that finished in an earlier run.
  Ended.Finished restored(TaskRecord.End.Finished end) {
    return stored.restored(end);
  }

  /// The result of a task that handed off in an earlier run.
  Ended.HandedOff restored(TaskRecord.End.HandedOff end) {
    return HandOffs.restored(graph, around, end);
  }

  /// Saves an answer.
  ///
  /// @throws AnswerRejected if another one was saved before
  void answer(String checkpoint, Answer answer) {
    if (!store.answer(lineage, checkpoint, answer)) {
      throw new AnswerRejected(answer.interrupt(), "it was answered before.", null);
    }
  }

  private Loaded loaded(Saved saved) {
    var checkpoint = saved.checkpoint();
    checkSameGraph(checkpoint);
    var answers = new HashMap<String, Json>();
    for (var answer : store.answers(lineage, checkpoint.id())) {
      answers.put(answer.interrupt(), answer.value());
    }
    return new Loaded(
        stored.snapshot(saved),
        checkpoint,
        tasks(checkpoint.id()),
        answers,
        steps(checkpoint.id()));
  }

  private void checkSameGraph(Checkpoint checkpoint) {
    if (checkpoint.graphHash().equals(graph.hash())) return;
    boolean sameName = checkpoint.graph().equals(graph.name());
    throw new ThreadError(
        thread(),
        ThreadError.Reason.OTHER_GRAPH,
        sameName
            ? "was saved by another shape of graph `"
                + graph.name()
                + "`: its channels, nodes or edges have changed since. Finish the thread with the"
                + " program that began it, or begin a new thread."
            : "belongs to graph `"
                + checkpoint.graph()
                + "`, not to `"
                + graph.name()
                + "`. Use another thread.");
  }
}
