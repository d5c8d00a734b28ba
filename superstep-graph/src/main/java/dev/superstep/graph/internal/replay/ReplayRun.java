package dev.superstep.graph.internal.replay;

import dev.superstep.checkpoint.Answer;
import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.CheckpointerCapability.CombinedCalls;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.Memories;
import dev.superstep.checkpoint.Memory;
import dev.superstep.checkpoint.Saved;
import dev.superstep.error.NodeFailed;
import dev.superstep.error.ThreadError;
import dev.superstep.graph.internal.execution.HitBreakpoints;
import dev.superstep.graph.internal.execution.RunLimits;
import dev.superstep.graph.internal.execution.RunScope;
import dev.superstep.graph.internal.execution.SubgraphRunner;
import dev.superstep.graph.internal.execution.SuperstepWriter;
import dev.superstep.graph.internal.execution.TaskRun;
import dev.superstep.graph.internal.execution.UnrecordedEffect;
import dev.superstep.graph.internal.kernel.AttemptPhase;
import dev.superstep.graph.internal.kernel.CheckpointCodec;
import dev.superstep.graph.internal.kernel.CompiledGraph;
import dev.superstep.graph.internal.kernel.Kernel;
import dev.superstep.graph.internal.kernel.NestingDepth;
import dev.superstep.graph.internal.kernel.Next;
import dev.superstep.graph.internal.kernel.ParentTask;
import dev.superstep.graph.internal.kernel.PendingLog;
import dev.superstep.graph.internal.kernel.ResumeRecords;
import dev.superstep.graph.internal.kernel.RouteOverride;
import dev.superstep.graph.internal.kernel.RunIdentity;
import dev.superstep.graph.internal.kernel.RunSettings;
import dev.superstep.graph.internal.kernel.Snapshot;
import dev.superstep.graph.internal.kernel.StepResults;
import dev.superstep.graph.internal.kernel.SubgraphNode;
import dev.superstep.graph.internal.kernel.SubgraphResult;
import dev.superstep.graph.internal.kernel.Superstep;
import dev.superstep.graph.internal.kernel.SuperstepLogs;
import dev.superstep.graph.internal.kernel.Task;
import dev.superstep.graph.internal.kernel.TaskResult;
import dev.superstep.graph.internal.kernel.Wait;
import dev.superstep.graph.internal.kernel.WriteCodec.ValueForm;
import dev.superstep.graph.internal.kernel.WriteCompletion;
import dev.superstep.graph.internal.persistence.CheckpointHistory;
import dev.superstep.graph.internal.persistence.CheckpointWriter;
import dev.superstep.graph.internal.persistence.MigrationPlan;
import dev.superstep.graph.internal.persistence.RunWriter;
import dev.superstep.graph.internal.persistence.TransientWriter;
import dev.superstep.graph.internal.publish.EventPublisher;
import dev.superstep.json.Json;
import dev.superstep.node.NodeResult;
import dev.superstep.run.Divergence.What;
import dev.superstep.state.State;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Runs supersteps of one lineage again and compares each with its record. One thread at a time,
/// except for the effects of nodes, which may begin on any.
public final class ReplayRun {
  private static final RunWriter UNKEPT = new TransientWriter("", false);

  private final CompiledGraph graph;
  private final Lineage lineage;
  private final Checkpointer store;
  private final RunSettings options;
  private final ReplayFindings findings;
  private final List<String> path;
  private final CheckpointCodec codec;

  /// The shapes, by hash, whose supersteps can be compared, and those whose cannot.
  private final Map<String, Boolean> shapes = new HashMap<>();

  /// The reason why the current superstep cannot be compared, or null.
  private volatile @Nullable String obstacle;

  /// An effect of a node that differs from what was recorded, or null.
  private volatile @Nullable EffectMismatch outside;

  /// @param recorded what it did, or `nothing`
  private record EffectMismatch(What what, String recorded, String now) {}

  private Map<String, Json> answers = Map.of();

  /// The result of the last superstep, if it equals its record: the next one can continue from it.
  private @Nullable Snapshot reached;

  /// In the form in which the run wrote what waits.
  private final PendingLog progress = new PendingLog();

  /// The memories of subgraphs after the current superstep.
  private Memories next = Memories.NONE;

  /// The memories of subgraphs after the superstep with which the graph handed off.
  private Memories last = Memories.NONE;

  /// @param options with the store of the lineage
  public ReplayRun(
      CompiledGraph graph, Lineage lineage, RunSettings options, ReplayFindings findings) {
    this(graph, lineage, options, findings, List.of());
  }

  private ReplayRun(
      CompiledGraph graph,
      Lineage lineage,
      RunSettings options,
      ReplayFindings findings,
      List<String> path) {
    this.graph = graph;
    this.lineage = lineage;
    this.store = options.checkpointer().orElseThrow();
    this.options = options;
    this.findings = findings;
    this.path = path;
    this.codec = new CheckpointCodec(graph);
  }

  /// Runs a superstep of the thread's own graph.
  ///
  /// @param limit the last superstep that its run could take
  public void outer(Checkpoint before, Checkpoint after, int limit) throws InterruptedException {
    answers = answers(before);
    var as = as(after);
    var publisher = new EventPublisher(after.run(), graph.name(), as);
    var limits = new RunLimits(graph, as, null, null);
    int depth = NestingDepth.next();
    var identity = new RunIdentity(graph, after.run(), limit, depth, true, as, null);
    var scope = new RunScope(identity, publisher, limits, null, new HitBreakpoints(), this::inside);
    var look = new Look(before, after, scope, s -> s);
    NestingDepth.at(depth, () -> superstep(look));
  }

  private Map<String, Json> answers(Checkpoint at) {
    var known = new HashMap<String, Json>();
    for (Answer answer : store.answers(lineage, at.id())) {
      known.put(answer.interrupt(), answer.value());
    }
    return known;
  }

  /// As the run was that made a checkpoint, as far as that is known.
  private RunSettings as(Checkpoint after) {
    return options.with(s -> {
      s.clock = InstantSource.fixed(after.at());
      s.recorded = true;
      s.sleeper = _ -> {};
      s.metadata = after.metadata();
    });
  }

  /// Completes a snapshot with values that are not stored.
  @FunctionalInterface
  private interface Refill {
    Snapshot of(Snapshot kept);
  }

  /// A recorded superstep.
  private record Look(Checkpoint before, Checkpoint after, RunScope scope, Refill refill) {}

  private boolean superstep(Look look) {
    obstacle = null;
    next = look.after().progress().memories();
    var comparison = mirror(look.after());
    if (isUnfit(look, comparison)) return false;
    var at = look.refill().of(start(look.before()));
    reached = null;
    var tasks = graph.kernel().plan(at);
    var ends = ends(at, tasks, look.scope(), comparison);
    if (ends == null) return false;
    var finished = new ArrayList<TaskResult.Finished>();
    for (int i = 0; i < tasks.size(); i++) {
      if (!(ends.get(i) instanceof TaskResult.Finished done) || !done.isFollowed()) {
        comparison.differs(What.END, tasks.get(i).node(), "", "it returned", format(ends.get(i)));
        return false;
      }
      finished.add(done);
    }
    var chooser = new RecordedRoutes(look.after().progress().chosen());
    var place = new Snapshot.Begin(look.after().id(), look.after().generation());
    var step = new Superstep(at, tasks, ResumeRecords.NONE);
    Kernel.Applied applied;
    try {
      applied = graph.kernel().apply(step, finished, place, chooser);
    } catch (RuntimeException e) {
      comparison.differs(What.END, "", "", "it was folded and followed", NodeFailed.why(e));
      return false;
    }
    if (!agrees(look, comparison, at, applied)) return false;
    findings.agreed();
    return true;
  }

  /// Returns the snapshot from which a superstep starts: the result of the one before, or else the
  /// stored checkpoint, which must be read in full.
  private Snapshot start(Checkpoint before) {
    var at = reached;
    return at != null && at.position().checkpoint().equals(before.id()) ? at : read(before);
  }

  private Snapshot read(Checkpoint checkpoint) {
    var saved = load(checkpoint);
    var snapshot = codec.snapshot(saved);
    progress.loaded(saved, snapshot.position());
    return snapshot;
  }

  /// Compares the changes, and only if they differ the whole state: the same value can be written
  /// in several ways.
  private boolean agrees(
      Look look, ReplayComparison comparison, Snapshot at, Kernel.Applied applied) {
    var after = look.after();
    var next = applied.next();
    var written = progress.next(at, next);
    var recordedProgress = after.progress();
    if (ReplayComparison.alike(written.progress(), recordedProgress).equals(recordedProgress)) {
      var made = new HashSet<>(written.changes());
      made.addAll(CheckpointCodec.changes(applied, ValueForm.TEXT));
      var recorded = CombinedCalls.of(store).changes(lineage, after.id());
      if (recorded.isPresent() && made.equals(new HashSet<>(recorded.get()))) {
        reached = CheckpointCodec.withoutUnstored(next.with(recordedProgress.memories()));
        return true;
      }
    }
    var saved = load(after);
    var target = codec.snapshot(saved);
    if (!comparison.agrees(What.VALUE, next, target)) return false;
    if (!comparison.follows(next, PendingLog.progress(saved))) return false;
    progress.loaded(saved, target.position());
    reached = target;
    return true;
  }

  private ReplayComparison mirror(Checkpoint after) {
    return new ReplayComparison(findings, path, after);
  }

  private Saved load(Checkpoint checkpoint) {
    return store.byId(lineage, checkpoint.id()).orElseThrow(() -> removedCheckpoint(checkpoint));
  }

  private ThreadError removedCheckpoint(Checkpoint checkpoint) {
    return new ThreadError(
        lineage.thread(),
        ThreadError.Reason.MOVED_ON,
        "lost checkpoint `" + checkpoint.id() + "` while it was replayed. Replay what is left.");
  }

  private boolean isUnfit(Look look, ReplayComparison comparison) {
    if (look.after().step() != look.before().step() + 1) {
      unfounded(look.after());
      return true;
    }
    for (var checkpoint : List.of(look.before(), look.after())) {
      if (isComparable(checkpoint)) continue;
      comparison.differs(What.SHAPE, "", "", checkpoint.graphHash(), graph.hash());
      return true;
    }
    return false;
  }

  private boolean isComparable(Checkpoint saved) {
    return shapes.computeIfAbsent(
        saved.graphHash(), _ -> MigrationPlan.isComparable(saved, graph, store));
  }

  /// Reports that the checkpoint before this one is not stored.
  public void unfounded(Checkpoint after) {
    findings.uncompared(where(after) + ": the checkpoints before it were not kept");
  }

  private String where(Checkpoint after) {
    var inside = path.isEmpty() ? "" : " in " + String.join(" / ", path);
    return "superstep " + after.step() + inside;
  }

  /// Runs the tasks and returns their results; null if one differs from its record, or cannot be
  /// replayed.
  private @Nullable List<TaskResult> ends(
      Snapshot at, List<Task> tasks, RunScope scope, ReplayComparison comparison) {
    var checkpoint = at.position().checkpoint();
    var records = CheckpointWriter.tasks(store.tasks(lineage, checkpoint));
    var steps = CheckpointWriter.steps(store.steps(lineage, checkpoint));
    var ends = new ArrayList<TaskResult>(tasks.size());
    for (var task : tasks) {
      var end = end(at, task, scope, steps);
      ends.add(end);
      if (findings.isDiverged()) return null;
      if (obstacle != null) {
        findings.uncompared(where(comparison.after()) + ": " + obstacle);
        return null;
      }
      var act = outside;
      if (act != null) {
        comparison.differs(act.what(), task.node(), "", act.recorded(), act.now());
        return null;
      }
      var record = records.get(task.id());
      if (record != null && record.isFinal() && !comparison.agrees(task, record.end(), end))
        return null;
    }
    return ends;
  }

  private TaskResult end(
      Snapshot at, Task task, RunScope scope, Map<String, Map<String, Json>> steps) {
    if (task.isSkipped()) return TaskResult.Finished.NOTHING;
    if (task.isWaiting(answers)) {
      return TaskResult.Waiting.asking(List.of(Objects.requireNonNull(task.question())));
    }
    outside = null;
    task.stepResults(new StepResults(steps.getOrDefault(task.id(), Map.of()), new Recorded(task)));
    task.records(SuperstepLogs.inMemory(steps));
    return new TaskRun(scope, new SuperstepWriter(scope, UNKEPT, false), at, task)
        .runAnyway(answers);
  }

  /// Keeps nothing, and lets no effect begin.
  private final class Recorded implements StepResults.Writer {
    private final Task task;

    Recorded(Task task) {
      this.task = task;
    }

    @Override
    public Json putIfAbsent(String key, Json result) {
      if (AttemptPhase.isReading(key)) {
        findings.uncompared("a time that node `" + task.node() + "` read and that is not recorded");
      }
      return result;
    }

    @Override
    public void begin(String key) {
      var step = "step `" + key + "`";
      throw left(new EffectMismatch(What.EFFECT, "nothing", step), step);
    }

    @Override
    public void differs(String key, String asked, String now) {
      var step = "step `" + key + "`";
      throw left(new EffectMismatch(What.REQUEST, step + ": " + asked, step + ": " + now), step);
    }

    private UnrecordedEffect left(EffectMismatch act, String step) {
      // The first difference counts: the items of a node act concurrently.
      if (outside == null) outside = act;
      return new UnrecordedEffect(step + " of node `" + task.node() + "`");
    }
  }

  static String format(TaskResult end) {
    return switch (end) {
      case TaskResult.Finished(_, Next.Leave(_, var command), _, _) ->
          "it handed off " + CheckpointCodec.finished(command, ValueForm.TEXT);
      case TaskResult.Finished finished ->
          "it returned " + CheckpointCodec.finished(finished, ValueForm.TEXT);
      case TaskResult.Waiting(Wait.ForAnswers(var asked)) ->
          "it asked `" + asked.getFirst().question() + "`";
      case TaskResult.Waiting _ -> "it paused";
      case TaskResult.Failed(var error) -> "it failed: " + NodeFailed.why(error);
    };
  }

  // --- Graphs inside ---

  /// Replays the supersteps of the subgraph inside a task, and returns its result.
  private SubgraphRunner.End inside(SubgraphRunner.Call call) throws InterruptedException {
    var parent = call.parent();
    var inside = call.inside();
    var store = inside.store(options);
    if (store == null)
      throw obstructed("the graph inside `" + parent.node().name() + "` is not kept");
    var deeper = new ArrayList<>(path);
    deeper.add(parent.task().name());
    var task = parent.task();
    var left = next.at(SubgraphNode.path(task)).filter(_ -> inside.remembers());
    var at =
        left.map(memory -> new Lineage(lineage.thread(), memory.namespace()))
            .orElseGet(() -> inside.lineages(lineage.thread(), task, deeper).getLast());
    var rerun =
        new ReplayRun(inside.graph(), at, options.withCheckpointer(store), findings, deeper);
    rerun.answers = answers;
    rerun.last = next.below(SubgraphNode.path(task));
    var newest =
        left.isPresent() ? rerun.store.byId(at, left.get().checkpoint()) : rerun.store.latest(at);
    var result = rerun.stretch(new Stretch(call, inside), newest);
    if (inside.subgraph().remembers()) task.left(left(task));
    if (result != null) return new SubgraphRunner.End.Completed(result);
    throw obstructed("nothing is kept of the graph inside `" + parent.node().name() + "`");
  }

  /// Returns the stored memories that a task left, or null if that was not recorded.
  private @Nullable Map<String, Memory> left(Task task) {
    var path = SubgraphNode.path(task);
    var left = new HashMap<String, Memory>();
    next.below(path).left().forEach((p, memory) -> left.put(Memories.path(path, p), memory));
    next.at(path).ifPresent(memory -> left.put(path, memory));
    return left.isEmpty() && !next.isWhole() ? null : left;
  }

  private UnrecordedEffect obstructed(String why) {
    obstacle = why;
    return new UnrecordedEffect(why);
  }

  /// The task around, and what it is given.
  private record Stretch(SubgraphRunner.Call call, SubgraphNode inside) {
    ParentTask parent() {
      return call.parent();
    }

    State state() {
      return call.state();
    }

    boolean isOf(Supplier<Snapshot> kept) {
      return !inside.isOwned() || inside.isOf(parent().task(), kept.get());
    }
  }

  /// Runs a whole activation again; null if nothing of it is stored.
  private @Nullable NodeResult stretch(Stretch of, Optional<Saved> newest)
      throws InterruptedException {
    var own = new ArrayList<Checkpoint>();
    var history = new CheckpointHistory(store, lineage);
    var at = newest.map(Saved::checkpoint).orElse(null);
    boolean isOwn = false;
    boolean isNew = true;
    for (; at != null; at = history.parent(at)) {
      if (!isComparable(at)) break;
      // Whose it is changes with input alone.
      var one = at;
      if (isNew) isOwn = of.isOf(() -> codec.snapshot(load(one)));
      if (isOwn) own.add(at);
      else if (!own.isEmpty()) break;
      isNew = at.source() != Checkpoint.Source.LOOP;
    }
    if (own.isEmpty()) return null;
    var stretch = own.reversed();
    var memory = Optional.ofNullable(at).map(this::load);
    var scope = scope(of.call(), stretch.getFirst());
    var end =
        NestingDepth.at(
            scope.depth(), () -> Optional.ofNullable(follow(of, stretch, memory, scope)));
    return end.orElse(null);
  }

  private RunScope scope(SubgraphRunner.Call call, Checkpoint first) {
    var outer = call.outer();
    var parent = call.parent();
    var publisher = outer.publisher().within(parent.task().name(), graph.name());
    int limit = Math.addExact(first.step(), options.stepLimit(graph.stepLimit(), true));
    var options = call.options().withCheckpointer(store);
    var identity =
        new RunIdentity(graph, outer.run(), limit, outer.depth() + 1, true, options, parent);
    var limits = outer.limits().within();
    return new RunScope(identity, publisher, limits, null, outer.hitBreakpoints(), this::inside);
  }

  private @Nullable NodeResult follow(
      Stretch of, List<Checkpoint> own, Optional<Saved> memory, RunScope scope)
      throws InterruptedException {
    begin(of, own.getFirst(), memory);
    for (int i = 1; i < own.size() && !findings.isDiverged(); i++) {
      Refill refill = kept -> of.inside().refilled(kept, of.state());
      superstep(new Look(own.get(i - 1), own.get(i), scope, refill));
    }
    if (findings.isDiverged()) throw new UnrecordedEffect("what follows a difference inside");
    var end = of.inside().refilled(start(own.getLast()), of.state());
    if (end.position().due().isEmpty()) return SubgraphResult.of(of.inside(), end);
    return left(end, scope, mirror(own.getLast()));
  }

  /// Gives the graph its input again and compares what it begins with.
  private void begin(Stretch of, Checkpoint first, Optional<Saved> memory) {
    boolean isWhole = first.source() == Checkpoint.Source.INPUT;
    if (!isWhole || (memory.isEmpty() && first.parent().isPresent())) {
      findings.uncompared(where(first) + ": what it began with was not kept");
      return;
    }
    var task = of.parent().task();
    var from = of.inside().from(memory.map(codec::snapshot), task);
    var made = of.inside().input(of.call().nested().input().get(), task, of.state());
    var whole = made.with(WriteCompletion.of(made.writes(), WriteCompletion.idsInside(task)));
    var begin = new Snapshot.Begin(first.id(), first.generation());
    var next = graph.kernel().input(from, whole, begin, RouteOverride.NONE).next();
    var comparison = mirror(first);
    var saved = load(first);
    if (comparison.agrees(What.INPUT, next, codec.snapshot(saved))) {
      comparison.follows(next, PendingLog.progress(saved));
    }
  }

  /// Returns the result of a graph that ended early because it handed off or failed.
  private @Nullable NodeResult left(Snapshot end, RunScope scope, ReplayComparison comparison) {
    next = last;
    var tasks = graph.kernel().plan(end);
    var ends = ends(end, tasks, scope, comparison);
    if (ends == null) return null;
    var step = new Superstep(end, tasks, ResumeRecords.NONE);
    var failure = graph.kernel().failure(step, ends);
    if (failure != null) throw failure;
    if (!TaskResult.isLeaving(ends)) return null;
    return new SubgraphResult(graph.kernel().left(step, ends).result());
  }
}
