package dev.superstep.graph.internal.persistence;

import dev.superstep.checkpoint.Activation;
import dev.superstep.checkpoint.Answer;
import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.CheckpointerCapability.CombinedCalls;
import dev.superstep.checkpoint.Commit;
import dev.superstep.checkpoint.Entry;
import dev.superstep.checkpoint.Fork;
import dev.superstep.checkpoint.ForkOrigin;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.Progress;
import dev.superstep.checkpoint.Saved;
import dev.superstep.checkpoint.StepRecord;
import dev.superstep.checkpoint.TaskRecord;
import dev.superstep.checkpoint.ThreadRecord;
import dev.superstep.error.AnswerRejected;
import dev.superstep.error.CorruptThread;
import dev.superstep.error.ThreadError;
import dev.superstep.graph.internal.kernel.ApprovalReceipts;
import dev.superstep.graph.internal.kernel.CheckpointCodec;
import dev.superstep.graph.internal.kernel.CompiledGraph;
import dev.superstep.graph.internal.kernel.Folding;
import dev.superstep.graph.internal.kernel.HandOffs;
import dev.superstep.graph.internal.kernel.ParentTask;
import dev.superstep.graph.internal.kernel.PendingLog;
import dev.superstep.graph.internal.kernel.ResumeRecords;
import dev.superstep.graph.internal.kernel.RunIdentity;
import dev.superstep.graph.internal.kernel.RunSettings;
import dev.superstep.graph.internal.kernel.Snapshot;
import dev.superstep.graph.internal.kernel.StepResults;
import dev.superstep.graph.internal.kernel.Superstep;
import dev.superstep.graph.internal.kernel.SuperstepLogs;
import dev.superstep.graph.internal.kernel.Task;
import dev.superstep.graph.internal.kernel.TaskResult;
import dev.superstep.graph.internal.kernel.Triggers;
import dev.superstep.graph.internal.kernel.WriteCodec.ValueForm;
import dev.superstep.graph.internal.kernel.WriteCompletion;
import dev.superstep.graph.internal.publish.EventBatch;
import dev.superstep.json.Json;
import dev.superstep.json.SuperstepException;
import dev.superstep.state.Write;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The one place that saves: between the engine's snapshots and a checkpointer. Safe for many
/// threads.
public final class CheckpointWriter implements RunWriter {
  /// Replaces the id of a task in the record that a graph's end was published; no task's id looks
  /// like this.
  public static final String LEFT = "left";

  private final CompiledGraph graph;
  private final Checkpointer store;
  private final @Nullable WriteStrategy writes;
  private final Lineage lineage;
  private final CheckpointCodec codec;
  private final PendingLog progress = new PendingLog();
  private final @Nullable ParentTask parent;
  private final RunSettings options;
  private final ValueForm form;
  // False if the store may not know the shape of the graph: versions that did not look at types
  // gave it another identity.
  private boolean isDescribed = true;

  private CheckpointWriter(
      CompiledGraph graph, Place place, @Nullable ParentTask parent, RunSettings options) {
    this.parent = parent;
    this.graph = graph;
    this.store = place.store();
    this.writes = place.writes();
    this.lineage = place.lineage();
    this.codec = new CheckpointCodec(graph);
    this.options = options;
    this.form = form(place);
  }

  private static ValueForm form(Place place) {
    var form = ValueForm.of(place.store());
    // Text that is replaced before the end of the run would be made for nothing.
    boolean isLater = form == ValueForm.TEXT && place.writes() instanceof ExitWrites;
    return isLater ? ValueForm.REFERENCE : form;
  }

  private record Place(Checkpointer store, @Nullable WriteStrategy writes, Lineage lineage) {}

  /// A writer that may only read.
  public static CheckpointWriter reading(
      CompiledGraph graph, Checkpointer store, Lineage lineage, RunSettings options) {
    return new CheckpointWriter(graph, new Place(store, null, lineage), null, options);
  }

  /// A writer for a run.
  ///
  /// @param parent the task in which the graph runs, if it is a subgraph
  public static CheckpointWriter writing(
      CompiledGraph graph,
      WriteStrategy writes,
      Lineage lineage,
      @Nullable ParentTask parent,
      RunSettings options) {
    return new CheckpointWriter(graph, new Place(writes.store(), writes, lineage), parent, options);
  }

  /// A thread as it was saved.
  ///
  /// @param tasks the records of due tasks that have ended, by task id
  /// @param answers by interrupt id
  /// @param steps the results of side effects, by task id and key
  public record LoadedCheckpoint(
      Snapshot snapshot,
      Checkpoint checkpoint,
      Map<String, TaskRecord> tasks,
      Map<String, Json> answers,
      Map<String, Map<String, Json>> steps) {}

  @Override
  public boolean isPersistent() {
    return true;
  }

  public Lineage lineage() {
    return lineage;
  }

  /// Returns whether a lineage stands at a checkpoint, as it was saved or as it was migrated.
  public boolean isAt(Optional<LoadedCheckpoint> loaded, String checkpoint) {
    var at = loaded.map(LoadedCheckpoint::checkpoint);
    while (at.isPresent() && !at.get().id().equals(checkpoint)) {
      if (at.get().source() != Checkpoint.Source.MIGRATION) return false;
      at = at.get().parent().flatMap(id -> store.byId(lineage, id)).map(Saved::checkpoint);
    }
    return at.isPresent();
  }

  /// Begins the lineage with a checkpoint of another one of the thread.
  ///
  /// @throws ThreadError if that is not there any more
  public LoadedCheckpoint fork(String run, Lineage source, String from) {
    writes().settle();
    var older = store.byId(source, from).orElseThrow(() -> lost(source, from)).checkpoint();
    var made =
        new Checkpoint(
            Checkpoint.FORMAT,
            options.ids().next(),
            Optional.of(older.id()),
            parent == null ? run : WriteCompletion.generationInside(parent.task()),
            older.step(),
            Checkpoint.Source.FORK,
            options.clock().instant(),
            run,
            older.graph(),
            older.graphHash(),
            older.progress().from(new ForkOrigin(ForkOrigin.Kind.MEMORY, source, from)),
            older.metadata());
    if (!writes().fork(new Fork(source, from, lineage, made, List.of()))) throw lost(source, from);
    return load().orElseThrow(() -> lost(source, from));
  }

  private ThreadError lost(Lineage source, String checkpoint) {
    return new ThreadError(
        thread(),
        ThreadError.Reason.MEMORY_LOST,
        "goes on from checkpoint `%s` of `%s`, which graph `%s` left there and which its store does"
                .formatted(checkpoint, source.namespace(), graph.name())
            + " not have any more. Restore that store, or rewind the thread to before.");
  }

  public String thread() {
    return lineage.thread();
  }

  @Override
  public Optional<LoadedCheckpoint> load() {
    var stands =
        writes == null
            ? CombinedCalls.of(store).threadRecord(lineage)
            : writes.threadRecord(lineage);
    return stands.map(this::loaded);
  }

  /// The thread as it was at a checkpoint.
  ///
  /// @throws ThreadError if another graph wrote the checkpoint
  public Optional<LoadedCheckpoint> load(String checkpoint) {
    return store
        .byId(lineage, checkpoint)
        .map(saved ->
            loaded(
                new ThreadRecord(
                    saved,
                    store.tasks(lineage, checkpoint),
                    store.steps(lineage, checkpoint),
                    store.answers(lineage, checkpoint))));
  }

  public List<Checkpoint> page(Optional<String> before, int limit) {
    return store.page(lineage, before, limit);
  }

  @Override
  public void checkpoint(RunIdentity scope, NewCheckpoint made, EventBatch batch, boolean isLast) {
    // A graph inside a task begins by the name of the task.
    boolean begins = made.source() != Checkpoint.Source.LOOP && parent == null;
    if (isLast) {
      commit(scope, made, batch, writes()::commitLast);
    } else if (begins) {
      commit(scope, made, batch, writes()::commitFirst);
      if (!(writes instanceof ExitWrites)) batch.safe();
    } else {
      commit(scope, made, batch, writes()::commit);
    }
    batch.publish();
  }

  private void commit(
      RunIdentity scope, NewCheckpoint made, EventBatch batch, Predicate<Commit> write) {
    checkWaitedFor();
    var next = made.applied().next();
    var parent = made.before().position().checkpoint();
    var written = progress.next(made.before(), next);
    var checkpoint =
        new Checkpoint(
            Checkpoint.FORMAT,
            next.position().checkpoint(),
            parent.isEmpty() ? Optional.empty() : Optional.of(parent),
            next.position().generation(),
            next.step(),
            made.source(),
            scope.options().clock().instant(),
            scope.run(),
            graph.name(),
            graph.hash(),
            naming(written.progress()),
            scope.options().metadata());
    var changes = new ArrayList<>(written.changes());
    changes.addAll(CheckpointCodec.changes(made.applied(), form));
    var plain =
        made.carried().with(new Commit(lineage, checkpoint, changes)).withParentSteps(made.steps());
    var commit = parent.isEmpty() || !isDescribed ? plain.of(graph.shape()) : plain;
    isDescribed = true;
    if (!save(batch, entries -> write.test(commit.withEntries(entries)))) {
      throw movedOn();
    }
    // A question must be safe before anyone hears of it.
    if (asks(next)) settle(batch);
  }

  private Progress naming(Progress progress) {
    if (parent != null) return progress;
    return progress.with(progress.memories().elsewhere(SubgraphStores.of(graph, options).keySet()));
  }

  private static boolean asks(Snapshot at) {
    for (var due : at.position().due()) {
      if (due.activation() instanceof Activation.Resumed) return true;
    }
    return false;
  }

  @Override
  public void task(Snapshot at, Task task, TaskResult end, EventBatch batch, boolean isLast) {
    var record = new TaskRecord(task.id(), task.node(), CheckpointCodec.end(end, form));
    // One without questions has stopped inside, which is still to be marked.
    if (isLast && end instanceof TaskResult.Waiting waits && !waits.questions().isEmpty()) {
      writes().taskLast(lineage, at.position().checkpoint(), record);
      writes().settle();
    } else {
      checkWaitedFor();
      save(at, record, batch);
      if (end instanceof TaskResult.Waiting) settle(batch);
    }
    batch.publish();
  }

  private void save(Snapshot at, TaskRecord record, EventBatch batch) {
    save(
        batch,
        entries -> {
          writes().task(lineage, at.position().checkpoint(), record, entries);
          return true;
        });
  }

  private void settle(EventBatch batch) {
    writes().settle();
    batch.safe();
  }

  @Override
  public void left(Snapshot at, EventBatch batch) {
    checkWaitedFor();
    var node = at.position().due().getFirst().node().name();
    var nothing = CheckpointCodec.end(TaskResult.Finished.NOTHING, form);
    save(at, new TaskRecord(LEFT, node, nothing), batch);
    batch.publish();
  }

  private <T> T save(EventBatch batch, Function<List<Entry>, T> write) {
    if (writes().isLate()) batch.provisional();
    var journal = batch.journal();
    if (journal == null) return write.apply(List.of());
    if (journal instanceof JournalWriter own && own.isIn(writes())) {
      return own.saving(batch, write);
    }
    var result = write.apply(List.of());
    batch.appendTo(journal);
    return result;
  }

  private WriteStrategy writes() {
    return Objects.requireNonNull(writes, "what only reads cannot write");
  }

  private void checkWaitedFor() {
    // Another attempt may be at work on the same lineage by now.
    if (parent != null && !parent.isWaitedFor()) {
      throw new CancellationException("the attempt was given up");
    }
  }

  @Override
  public void open(Superstep step) {
    var at = step.at();
    var known = step.known();
    var logs = SuperstepLogs.persistent(known.steps(), "", logWriter(at));
    for (var task : step.tasks()) {
      if (!task.isEarly()) open(task, at, known, logs, step.isLone());
    }
  }

  @Override
  public void openEarly(Task task, Snapshot state, ResumeRecords known) {
    open(
        task,
        state,
        known,
        SuperstepLogs.persistent(known.steps(), task.id() + "/", logWriter(state)),
        false);
  }

  private void open(
      Task task, Snapshot at, ResumeRecords known, SuperstepLogs logs, boolean isLone) {
    task.records(logs);
    // A write that is late must not hold back what a node waits for.
    boolean isJoining = isLone && !writes().isLate();
    var writer =
        new StepWriter(
            task,
            form,
            step -> writes().step(lineage, at.position().checkpoint(), step),
            isJoining);
    task.stepResults(new StepResults(known.steps(task), writer));
  }

  /// Saves entries of the logs of the superstep that begins here, by their keys.
  private BiConsumer<String, Json> logWriter(Snapshot at) {
    return (key, entry) -> {
      var record = new StepRecord(SuperstepLogs.MARK, key, entry);
      writes().step(lineage, at.position().checkpoint(), record);
    };
  }

  @Override
  public void mark(Snapshot at, String what, String key) {
    var mark = new StepRecord(what, key, Json.of(true));
    writes().mark(lineage, at.position().checkpoint(), mark);
  }

  @Override
  public Snapshot.Begin next(Snapshot.Begin before, ResumeRecords known) {
    var generation = before.generation();
    var id = known.reserved();
    if (id == null) return new Snapshot.Begin(options.ids().next(), generation);
    return new Snapshot.Begin(id, records(id).generation(id, generation));
  }

  @Override
  public ResumeRecords following(ResumeRecords known) {
    var id = known.reserved();
    return id == null ? ResumeRecords.NONE : records(id);
  }

  /// Fixes the id of the checkpoint, since the records of tasks refer to it.
  @Override
  public ReservedCheckpoint reserve(Snapshot.Begin before, ResumeRecords known) {
    var id = known.reserved();
    var fresh = id == null ? options.ids().next() : "";
    if (id == null) {
      var reservation = ResumeRecords.reservation(fresh);
      var existing = writes().mark(lineage, before.checkpoint(), reservation);
      id = ResumeRecords.reserved(existing.result());
    }
    // Nothing can be stored under a new id.
    var there = id.equals(fresh) ? ResumeRecords.NONE : records(id);
    return new ReservedCheckpoint(
        new Snapshot.Begin(id, there.generation(id, before.generation())), there);
  }

  /// Returns the saved records of tasks that started before their superstep, by the id that its
  /// checkpoint has or will have.
  private ResumeRecords records(String checkpoint) {
    var tasks = writes().tasks(lineage, checkpoint);
    var steps = writes().steps(lineage, checkpoint);
    return new ResumeRecords(tasks(tasks), Map.of(), steps(steps));
  }

  private static Map<String, Json> answers(List<Answer> all) {
    if (all.isEmpty()) return Map.of();
    var answers = new HashMap<String, Json>();
    for (var answer : all) answers.put(answer.interrupt(), answer.value());
    return answers;
  }

  /// Records by the ids of their tasks.
  public static Map<String, TaskRecord> tasks(List<TaskRecord> all) {
    if (all.isEmpty()) return Map.of();
    var tasks = new HashMap<String, TaskRecord>();
    for (var task : all) tasks.put(task.task(), task);
    return tasks;
  }

  /// Results of steps by task and key.
  public static Map<String, Map<String, Json>> steps(List<StepRecord> all) {
    if (all.isEmpty()) return Map.of();
    var steps = new HashMap<String, Map<String, Json>>();
    for (var step : all) {
      steps.computeIfAbsent(step.task(), _ -> new HashMap<>()).put(step.key(), step.result());
    }
    return steps;
  }

  @Override
  public TaskResult.Finished restored(TaskRecord.End.Finished end) {
    return codec.restored(end);
  }

  @Override
  public TaskResult.Finished restored(TaskRecord.End.HandedOff end) {
    return HandOffs.restored(graph, parent, end);
  }

  /// Saves answers, all or none.
  ///
  /// @throws AnswerRejected if one of the questions was answered before
  public void answer(String checkpoint, List<Answer> answers, EventBatch batch) {
    if (answers.isEmpty()) return;
    if (save(batch, told -> writes().answer(lineage, checkpoint, answers, told))) return;
    var ids =
        answers.stream()
            .filter(ApprovalReceipts::isAnswer)
            .map(Answer::interrupt)
            .collect(Collectors.joining(", "));
    throw new AnswerRejected(ids, "it was answered before.", null);
  }

  /// Loads the thread, applying migrations; when writing, saves the migrated checkpoint.
  private LoadedCheckpoint loaded(ThreadRecord threadRecord) {
    var saved = threadRecord.latest();
    options.ids().seen(saved.checkpoint().id());
    var answers = answers(threadRecord.answers());
    var tasks = tasks(threadRecord.tasks());
    var steps = steps(threadRecord.steps());
    var place = new MigrationPlan.Context(thread(), store);
    var way = MigrationPlan.of(options).from(saved.checkpoint(), graph, place);
    if (way.isEmpty()) {
      boolean isExact = saved.checkpoint().graphHash().equals(graph.hash());
      isDescribed = isDescribed && isExact;
      if (!isExact) fitted(new StoredForms(graph, Map.of()), saved, saved, tasks.values());
      return loaded(saved, tasks, answers, steps);
    }
    // What is carried over is saved at once: it needs the lease before any of that is done.
    if (writes != null) {
      var _ = writes.direct().lease();
    }
    var shape = MigrationPlan.described(saved.checkpoint(), store);
    var at = shape.map(was -> new MigrationForms(way, graph).of(saved, was)).orElse(saved);
    var lists = shape.map(MigrationForms::lists).orElse(Set.of());
    for (var migration : way) {
      at = migration.saved(at);
      var known = lists;
      if (!tasks.isEmpty()) tasks.replaceAll((_, task) -> migration.task(task, known));
      lists = known.stream().map(migration::renamed).collect(Collectors.toSet());
    }
    at = fitted(StoredForms.of(graph, saved.checkpoint(), way, store), saved, at, tasks.values());
    if (writes != null) at = moved(threadRecord, at, tasks.values());
    return loaded(at, tasks, answers, steps);
  }

  private LoadedCheckpoint loaded(
      Saved saved,
      Map<String, TaskRecord> tasks,
      Map<String, Json> answers,
      Map<String, Map<String, Json>> steps) {
    var snapshot = codec.snapshot(saved);
    if (writes != null) progress.loaded(saved, snapshot.position());
    return new LoadedCheckpoint(snapshot, saved.checkpoint(), tasks, answers, steps);
  }

  /// Nothing is saved of what this refuses.
  private Saved fitted(StoredForms forms, Saved from, Saved moved, Collection<TaskRecord> tasks) {
    try {
      var fitting = forms.fitted(moved);
      var at = codec.snapshot(fitting);
      var pending = new ArrayList<Write>();
      for (var task : tasks) {
        if (graph.executionGraph().node(task.node()) == null) {
          throw new CorruptThread("node `" + task.node() + "` is unknown");
        }
        if (task.end() instanceof TaskRecord.End.Finished finished) {
          pending.addAll(codec.restored(finished).writes());
        }
      }
      graph.kernel().plan(at);
      fold(pending, at);
      return fitting;
    } catch (SuperstepException e) {
      throw new ThreadError(
          thread(),
          ThreadError.Reason.OTHER_GRAPH,
          ("cannot go on with graph `%s` as it is now: %s. It was saved by shape %s, and"
                  + " this one is %s. Say in a migration between the two what has become of it.")
              .formatted(graph.name(), why(e), from.checkpoint().graphHash(), graph.hash()));
    }
  }

  /// Without the full stop.
  private static String why(SuperstepException e) {
    var why = e instanceof CorruptThread corrupt ? corrupt.why() : String.valueOf(e.getMessage());
    return why.endsWith(".") ? why.substring(0, why.length() - 1) : why;
  }

  /// Folds what waits, to see that it can be.
  private void fold(List<Write> pending, Snapshot at) {
    var folding = new Folding(graph.index());
    folding.add(null, pending);
    for (var due : at.position().due()) {
      for (var token : Triggers.tokens(due.activation())) {
        folding.consume(graph.index().place(Objects.requireNonNull(graph.index().channel(token))));
      }
    }
    folding.into(at.copyCells());
  }

  /// Saves what was carried over, all of it in one transaction.
  private Saved moved(ThreadRecord before, Saved after, Collection<TaskRecord> tasks) {
    var at = after.checkpoint();
    var checkpoint =
        new Checkpoint(
            Checkpoint.FORMAT,
            options.ids().next(),
            Optional.of(before.latest().checkpoint().id()),
            at.generation(),
            at.step(),
            Checkpoint.Source.MIGRATION,
            options.clock().instant(),
            at.run(),
            graph.name(),
            graph.hash(),
            at.progress(),
            at.metadata());
    var commit =
        new Commit(lineage, checkpoint, MigrationStep.changes(before.latest(), after))
            .carrying(List.copyOf(tasks), before.steps(), before.answers())
            .of(graph.shape());
    if (!writes().commit(commit)) throw movedOn();
    return new Saved(checkpoint, after.channels());
  }

  private ThreadError movedOn() {
    return new ThreadError(
        thread(),
        ThreadError.Reason.MOVED_ON,
        "was moved on by another run while this one was at work. What this run saved before is"
            + " kept; start again from the thread's newest state.");
  }
}
