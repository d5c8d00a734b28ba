package dev.superstep.graph;

import dev.superstep.checkpoint.Activation;
import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.checkpoint.Interrupt;
import dev.superstep.checkpoint.Memories;
import dev.superstep.checkpoint.StepRecord;
import dev.superstep.checkpoint.TaskRecord;
import dev.superstep.event.Event;
import dev.superstep.json.Json;
import dev.superstep.json.MalformedJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Runs a graph one superstep at a time: plan, run, fold, save, announce. One thread owns an
/// instance; the tasks of a superstep run on their own.
final class RunLoop {
  private final RunScope scope;
  private final Kernel kernel;
  private final TaskPool pool;
  private final @Nullable CheckpointWriter saving;
  private final @Nullable BreakpointCheck pausing;
  private final @Nullable DataflowScheduler ahead;

  private @Nullable TaskResult handedOff;
  private @Nullable Memories left;
  // Whether all is saved, so that others may hold the thread by now.
  private boolean over;
  private @Nullable Snapshot reached;

  RunLoop(RunScope scope, @Nullable CheckpointWriter saving) {
    this.scope = scope;
    this.kernel = scope.graph().kernel();
    this.pool =
        new TaskPool(scope.run(), scope.options().concurrency(), scope.depth(), scope.allowance());
    this.saving = saving;
    this.pausing = BreakpointCheck.of(scope, saving);
    // What ran ahead of a pause would not have been held up by it, nor by a limit on tasks.
    this.ahead =
        pausing == null && !scope.allowance().isCounted()
            ? DataflowScheduler.of(scope, saving)
            : null;
  }

  /// What is known of the tasks of the first superstep from an earlier run.
  record Before(
      Map<String, TaskRecord> tasks,
      Map<String, Json> answers,
      Map<String, Map<String, Json>> steps) {
    static final Before NOTHING = new Before(Map.of(), Map.of(), Map.of());

    /// In the place of a task; no task's id looks like this.
    private static final String NEXT = "next";

    private static final String CHECKPOINT = "checkpoint";
    private static final int ID_MAX = 200;

    /// Whether every task waits for the answer to a question that it asked before, so that there is
    /// no superstep to begin.
    boolean isWaitingForAll(List<Task> tasks) {
      for (var task : tasks) if (!task.isWaiting(answers)) return false;
      return true;
    }

    /// What these tasks, which all wait, are asking.
    List<Interrupt> questions(List<Task> tasks) {
      return tasks.stream().map(task -> Objects.requireNonNull(task.question())).toList();
    }

    Map<String, Json> steps(Task task) {
      return steps.isEmpty() ? Map.of() : steps.getOrDefault(task.id(), Map.of());
    }

    /// How a task ended, if it need not run again.
    @Nullable TaskResult end(Task task, @Nullable CheckpointWriter saving) {
      if (task.isWaiting(answers)) {
        return new TaskResult.Waiting(List.of(Objects.requireNonNull(task.question())));
      }
      if (tasks.isEmpty()) return null;
      var record = tasks.get(task.id());
      if (record == null) return null;
      return switch (record.end()) {
        case TaskRecord.End.Finished finished -> Objects.requireNonNull(saving).restored(finished);
        case TaskRecord.End.HandedOff handed -> Objects.requireNonNull(saving).restored(handed);
        case TaskRecord.End.Waiting(var interrupts) -> {
          var open = interrupts.stream().filter(i -> !answers.containsKey(i.id())).toList();
          yield open.isEmpty() ? null : new TaskResult.Waiting(open);
        }
        case TaskRecord.End.Failed _ -> null;
      };
    }

    /// The id that the next checkpoint must have, if that is settled.
    @Nullable String reserved() {
      var kept = steps.isEmpty() ? null : steps.get(NEXT);
      var id = kept == null ? null : kept.get(CHECKPOINT);
      return id == null ? null : reserved(id);
    }

    /// The generation of the tasks that run from a checkpoint that was reserved. In format 1, what
    /// was begun ahead of it was named by it.
    String generation(String checkpoint, String own) {
      var begin = checkpoint + "/";
      for (var task : tasks.keySet()) if (task.startsWith(begin)) return checkpoint;
      for (var task : steps.keySet()) if (task.startsWith(begin)) return checkpoint;
      return own;
    }

    static String reserved(Json kept) {
      try {
        var id = kept.as(String.class);
        if (!id.isBlank() && id.length() <= ID_MAX) return id;
      } catch (MalformedJson e) {
        throw new CorruptThread("the id of the next checkpoint is " + kept.text());
      }
      throw new CorruptThread("the id of the next checkpoint is " + kept.text());
    }

    static StepRecord reservation(String id) {
      return new StepRecord(NEXT, CHECKPOINT, Json.string(id));
    }
  }

  /// Tells where a thread stands that goes on.
  void show(Snapshot at) {
    EventDetails.values(scope.announcer(), scope.identity(), at);
  }

  Outcome run(Snapshot from, Before known) throws InterruptedException {
    if (saving != null) StopMarkers.wentOn(saving, from, known.steps());
    if (ahead == null) return loop(from, known);
    try {
      var outcome = loop(from, known);
      ahead.finish();
      return outcome;
    } catch (Throwable e) {
      ahead.finish(e);
      throw e;
    }
  }

  private Outcome loop(Snapshot from, Before known) throws InterruptedException {
    var at = from;
    var before = known;
    while (true) {
      reached = at;
      // A node that does not block would not notice that its run was cancelled.
      if (!over) checkCancelled();
      var tasks = kernel.plan(at);
      if (pausing != null && pausing.stops(at, tasks, before)) {
        return new Outcome.Stopped(Outcome.Reason.PAUSED, at);
      }
      if (tasks.isEmpty()) {
        checkDone(at);
        return new Outcome.Completed(at);
      }
      if (before.isWaitingForAll(tasks)) return new Outcome.Interrupted(before.questions(tasks));
      var stop = stop(at);
      if (stop != null) return new Outcome.Stopped(stop, at);
      if (scope.allowance().isSpent()) return new Outcome.Stopped(Outcome.Reason.TASK_LIMIT, at);
      if (at.step() >= scope.limit()) throw overLimit(at, tasks);
      if (!scope.allowance().takeStep()) throw overTotal(at, tasks);
      if (ahead != null) tasks = ahead.arrive(at, tasks, before);
      var ends = runAll(at, tasks, before);
      if (isOutOfTime(ends)) return new Outcome.Stopped(Outcome.Reason.DEADLINE, at);
      var questions = questions(ends);
      var stopped = TaskResult.Waiting.stopped(ends);
      // A limit on tasks does not keep questions from being told.
      boolean asks = stopped == Outcome.Reason.TASK_LIMIT && !questions.isEmpty();
      if (stopped != null && !asks) return new Outcome.Stopped(stopped, at);
      if (!questions.isEmpty()) return new Outcome.Interrupted(questions);
      if (scope.enclosing() != null && HandOffs.isLeaving(ends)) {
        handedOff = HandOffs.outward(ends, kernel.shared(at, tasks, ends));
        left = kernel.left(at, tasks, ends);
        return new Outcome.Completed(at);
      }
      var steering = MatrixSession.of(scope, at.step() + 1, tasks, ends);
      var applied = apply(at, tasks, ends, before, steering);
      var telling = new EventBatch(scope.announcer());
      if (telling.isHeard()) tell(telling, new Superstep(at, tasks, ends, applied, steering));
      save(at, applied, Checkpoint.Source.LOOP, telling);
      at = applied.next();
      before = following(before);
    }
  }

  /// Why no superstep may begin here, or null if one may. A graph inside ends with its deadline by
  /// being interrupted, and is drained only if it is kept, so that it can go on from here.
  private Outcome.@Nullable Reason stop(Snapshot at) {
    var allowance = scope.allowance();
    if (scope.enclosing() == null) {
      var stop = allowance.stop(saving != null);
      if (stop != Outcome.Reason.DRAINED) return stop;
    } else if (saving == null || !allowance.isDraining()) {
      return null;
    }
    if (saving != null) scope.paused().drained(saving, at);
    return Outcome.Reason.DRAINED;
  }

  /// Ends a run that was asked to stop, whoever has swallowed its interruption.
  private void checkCancelled() throws InterruptedException {
    var allowance = scope.allowance();
    if (Thread.interrupted()) allowance.cancel();
    if (allowance.isCancelled()) throw new InterruptedException("the run was cancelled");
  }

  /// Where the run stood at the begin of its last superstep; null before the first.
  @Nullable Snapshot reached() {
    return reached;
  }

  /// How the task around ends, if the graph ended because it handed off.
  @Nullable TaskResult handedOff() {
    return handedOff;
  }

  /// What graphs inside remember; null before the first superstep.
  @Nullable Memories memories() {
    if (left != null || reached == null) return left;
    return reached.position().marks().memories();
  }

  private Kernel.Applied apply(
      Snapshot at,
      List<Task> tasks,
      List<TaskResult> ends,
      Before before,
      @Nullable MatrixSession steering) {
    var finished = finished(at, tasks, ends);
    try {
      var chooser = steering == null ? RouteOverride.NONE : steering;
      var barrier = new Kernel.Barrier(tasks, finished, place(at, before), chooser);
      var applied = kernel.apply(at, barrier);
      if (steering != null) steering.observe();
      return applied;
    } catch (RuntimeException e) {
      // A lone task is saved with the checkpoint that now cannot be made; it must not run again.
      if (saving != null && isAlone(tasks)) {
        saving.task(at, tasks.getFirst(), ends.getFirst(), new EventBatch(scope.announcer()));
      }
      throw StepFailed.at(frontier(at, tasks, ends), e);
    }
  }

  /// Folds new input into the thread and activates what follows START.
  Snapshot input(Snapshot from, Input input) {
    var steering = MatrixSession.of(scope, from.step() + 1, List.of(), List.of());
    var chooser = steering == null ? RouteOverride.NONE : steering;
    var whole = complete(input);
    var begin = new Kernel.Begin(nextCheckpoint(Before.NOTHING), scope.identity().generation());
    var applied = kernel.input(from, whole, begin, chooser);
    var next = applied.next();
    var telling = new EventBatch(scope.announcer());
    EventDetails.folded(telling, scope.identity(), from, next, Checkpoint.Source.INPUT);
    if (steering != null) steering.announce(telling);
    EventDetails.routed(
        telling, next.step(), () -> RoutingExplainer.input(scope.graph(), input, next));
    ended(telling, next);
    save(from, applied, Checkpoint.Source.INPUT, telling);
    return next;
  }

  /// Tells that a graph inside a task has nothing left to do.
  private void ended(EventBatch telling, Snapshot next) {
    var around = scope.enclosing();
    if (around == null || !kernel.isDone(next)) return;
    telling.say(next.step(), o -> new Event.SubgraphCompleted(o, around.task().id()));
  }

  /// Saves a checkpoint, and tells of it.
  private void save(
      Snapshot from, Kernel.Applied applied, Checkpoint.Source source, EventBatch telling) {
    if (saving == null) {
      telling.tell(scope.identity());
      return;
    }
    var made = new CheckpointWriter.Made(from, applied, source);
    over = canEnd() && isEnd(applied.next());
    if (over) saving.commitLast(scope.identity(), made, telling);
    else saving.commit(scope.identity(), made, telling);
    telling.publish();
  }

  /// Whether nothing but tasks and checkpoints of this loop is saved, so that it knows what is the
  /// last. Who is to be stopped is still to tell where.
  private boolean canEnd() {
    return scope.enclosing() == null
        && pausing == null
        && ahead == null
        && scope.announcer().chronicle() == null
        && !Thread.currentThread().isInterrupted();
  }

  /// Whether the run ends here: nothing is due, or nothing but answers.
  private boolean isEnd(Snapshot next) {
    if (next.position().due().isEmpty()) return kernel.isDone(next);
    for (var due : next.position().due()) {
      if (!(due.activation() instanceof Activation.Resumed)) return false;
    }
    return Before.NOTHING.isWaitingForAll(kernel.plan(next));
  }

  private Input complete(Input input) {
    var around = scope.enclosing();
    // A graph inside a task begins in the same way whenever the task runs.
    var ids = around == null ? scope.options().ids() : WriteCompletion.idsInside(around.task());
    return input.with(WriteCompletion.of(input.writes(), ids));
  }

  private Kernel.Begin place(Snapshot at, Before before) {
    var begun = ahead == null ? null : ahead.next();
    if (begun != null) return new Kernel.Begin(begun.checkpoint(), begun.generation());
    var own = at.position().generation();
    var id = nextCheckpoint(before);
    if (saving == null || before.reserved() == null) return new Kernel.Begin(id, own);
    return new Kernel.Begin(id, saving.before(id).generation(id, own));
  }

  private String nextCheckpoint(Before before) {
    if (saving == null) return scope.identity().unkept();
    var reserved = before.reserved();
    return reserved == null ? scope.options().ids().next() : reserved;
  }

  /// What is known of the tasks of the next superstep: nothing, unless some were begun ahead.
  private Before following(Before before) {
    var begun = ahead == null ? null : ahead.next();
    if (begun != null) return begun.before();
    var reserved = before.reserved();
    return reserved == null || saving == null ? Before.NOTHING : saving.before(reserved);
  }

  private List<TaskResult> runAll(Snapshot at, List<Task> tasks, Before before)
      throws InterruptedException {
    var known = new ArrayList<@Nullable TaskResult>(tasks.size());
    boolean isAnyKnown = false;
    var records =
        saving == null
            ? SuperstepLogs.unkept(Map.of())
            : SuperstepLogs.kept(before.steps(), "", saving.logs(at));
    for (var task : tasks) {
      if (!task.isEarly()) task.records(records);
      if (saving != null && !task.isEarly()) {
        task.journal(saving.journal(at, task, before.steps(task)));
      }
      var end = task.isSkipped() ? TaskResult.Finished.NOTHING : before.end(task, saving);
      known.add(end);
      isAnyKnown |= end != null;
    }
    var toRun = isAnyKnown ? unknown(tasks, known) : tasks;
    int step = at.step() + 1;
    if (scope.announcer().isHeard()) {
      scope.announcer().say(step, o -> stepStarted(o, tasks, known));
    }
    for (var task : tasks) if (task.isSkipped()) skipped(step, task);
    boolean alone = isAlone(tasks);
    if (ahead != null && !alone) return ahead.run(at, known, before.answers());
    boolean ends = saving != null && alone && canEnd();
    Function<Task, @Nullable TaskResult> body =
        task -> new TaskRun(scope, saving, at, task, ends).run(before.answers(), alone);
    var fresh = scope.allowance().isCounted() ? oneByOne(toRun, body) : pool.run(toRun, body);
    checkCancelled(fresh);
    if (alone) {
      if (!fresh.isEmpty()) return fresh;
    }
    var all = new ArrayList<TaskResult>(tasks.size());
    int next = 0;
    for (var end : known) all.add(end != null ? end : fresh.get(next++));
    return all;
  }

  private static List<Task> unknown(List<Task> tasks, List<@Nullable TaskResult> known) {
    var unknown = new ArrayList<Task>();
    for (int i = 0; i < tasks.size(); i++) if (known.get(i) == null) unknown.add(tasks.get(i));
    return unknown;
  }

  /// Runs as many tasks as the run may begin, in task order; the others wait for nothing but that.
  private List<TaskResult> oneByOne(List<Task> tasks, Function<Task, @Nullable TaskResult> body)
      throws InterruptedException {
    var ends = new ArrayList<TaskResult>(tasks.size());
    for (var task : tasks) {
      if (scope.allowance().isSpent()) {
        ends.add(TaskResult.Waiting.stopped(Outcome.Reason.TASK_LIMIT));
        continue;
      }
      if (task.due().node().inside() == null) scope.allowance().begin();
      var end = pool.run(List.of(task), body);
      checkCancelled(end);
      ends.addAll(end);
    }
    return ends;
  }

  /// Whether the checkpoint of a superstep saves its task, too.
  private static boolean isAlone(List<Task> tasks) {
    if (tasks.size() != 1) return false;
    var task = tasks.getFirst();
    return !task.isEarly() && !task.isSkipped();
  }

  /// A task that runs on the run's own thread is cancelled by interrupting that thread.
  private void checkCancelled(List<TaskResult> fresh) throws InterruptedException {
    for (var end : fresh) {
      boolean isStopped = end instanceof TaskResult.Failed && scope.allowance().isCancelled();
      if (isStopped) throw cancelled(((TaskResult.Failed) end).error());
    }
    if (fresh.size() != 1 || !(fresh.getFirst() instanceof TaskResult.Failed(var error))) return;
    // On a thread of the engine's own it is the node's doing if nobody cancelled the run.
    if (scope.allowance().isOnlyCancelledBySwitch() && !scope.allowance().isCancelled()) return;
    if (error instanceof InterruptedException || Thread.interrupted()) throw cancelled(error);
  }

  private static InterruptedException cancelled(Throwable error) {
    var cancelled = new InterruptedException("the run was cancelled");
    cancelled.addSuppressed(error);
    return cancelled;
  }

  /// Whether a task was stopped by the run's deadline. A graph inside that is stopped by it leaves
  /// its node as interrupted.
  private boolean isOutOfTime(Throwable error) {
    if (error instanceof DeadlineReached) return true;
    return error instanceof InterruptedException && scope.allowance().nanosLeft() <= 0;
  }

  /// Whether the run's deadline ended some task, and nothing worse did.
  private boolean isOutOfTime(List<TaskResult> ends) {
    boolean late = false;
    for (var end : ends) {
      if (!(end instanceof TaskResult.Failed(var error))) continue;
      if (!isOutOfTime(error)) return false;
      late = true;
    }
    return late;
  }

  private static List<Interrupt> questions(List<TaskResult> ends) {
    List<Interrupt> questions = List.of();
    for (var end : ends) {
      if (end instanceof TaskResult.Failed) return List.of();
      if (!(end instanceof TaskResult.Waiting(var interrupts, _))) continue;
      if (questions.isEmpty()) questions = new ArrayList<>();
      questions.addAll(interrupts);
    }
    return questions;
  }

  private List<TaskResult.Finished> finished(Snapshot at, List<Task> tasks, List<TaskResult> ends) {
    if (ends.size() == 1 && ends.getFirst() instanceof TaskResult.Finished only)
      return List.of(only);
    var finished = new ArrayList<TaskResult.Finished>(ends.size());
    NodeFailed failure = null;
    for (int i = 0; i < ends.size(); i++) {
      if (ends.get(i) instanceof TaskResult.Finished done) finished.add(done);
      else if (ends.get(i) instanceof TaskResult.Failed(var error)) {
        int step = at.step() + 1;
        var next = failed(tasks.get(i), step, error);
        if (failure == null) failure = next;
        else failure.addSuppressed(next);
      }
    }
    if (failure != null) throw StepFailed.at(frontier(at, tasks, ends), failure);
    return finished;
  }

  private NodeFailed failed(Task task, int step, Throwable error) {
    return new NodeFailed(scope.graph().name(), task.node(), step, task.attempts(), error);
  }

  private void checkDone(Snapshot at) {
    try {
      kernel.checkDone(at);
    } catch (RuntimeException e) {
      throw StepFailed.at(frontier(at, List.of(), List.of()), e);
    }
  }

  private FailurePoint frontier(Snapshot at, List<Task> tasks, List<TaskResult> ends) {
    var finished = new ArrayList<String>();
    for (int i = 0; i < ends.size(); i++) {
      if (ends.get(i) instanceof TaskResult.Finished) finished.add(tasks.get(i).node());
    }
    var held = at.position().held().all().stream().map(due -> due.node().name()).toList();
    var due = tasks.stream().map(Task::node).toList();
    return new FailurePoint(scope.graph().name(), at.step() + 1, due, finished, held);
  }

  private StepLimitReached overLimit(Snapshot at, List<Task> tasks) {
    int limit = scope.options().stepLimit(scope.graph().stepLimit(), scope.enclosing() != null);
    var error = StepLimitReached.ofOne(scope.graph().name(), scope.run(), limit, due(at));
    return StepFailed.at(frontier(at, tasks, List.of()), error);
  }

  private StepLimitReached overTotal(Snapshot at, List<Task> tasks) {
    int limit = scope.allowance().totalSteps();
    var error = StepLimitReached.ofAll(scope.graph().name(), scope.run(), limit, due(at));
    return StepFailed.at(frontier(at, tasks, List.of()), error);
  }

  private static List<String> due(Snapshot at) {
    return at.position().due().stream().map(d -> d.node().name()).distinct().toList();
  }

  private static Event stepStarted(
      dev.superstep.event.Origin origin, List<Task> tasks, List<@Nullable TaskResult> known) {
    var nodes = tasks.stream().filter(t -> !t.isSkipped()).map(Task::node).toList();
    int finished = (int) known.stream().filter(TaskResult.Finished.class::isInstance).count();
    return new Event.StepStarted(origin, nodes, finished - (tasks.size() - nodes.size()));
  }

  private void skipped(int step, Task task) {
    var gate = task.due().node().gate.stream().map(c -> c.name()).toList();
    scope.announcer().say(step, o -> new Event.NodeSkipped(o, task.node(), task.id(), gate));
  }

  private record Superstep(
      Snapshot at,
      List<Task> tasks,
      List<TaskResult> ends,
      Kernel.Applied applied,
      @Nullable MatrixSession steering) {}

  private void tell(EventBatch telling, Superstep done) {
    var at = done.at();
    var tasks = done.tasks();
    var ends = done.ends();
    var applied = done.applied();
    var next = applied.next();
    // A lone task is saved with the checkpoint, so only now may anyone hear that it finished.
    if (isAlone(tasks) && ends.getFirst() instanceof TaskResult.Finished finished) {
      TaskRun.announce(telling, next.step(), tasks.getFirst(), finished);
    }
    if (done.steering() != null) done.steering().announce(telling);
    EventDetails.folded(telling, scope.identity(), at, next, Checkpoint.Source.LOOP);
    EventDetails.routed(
        telling,
        next.step(),
        () ->
            RoutingExplainer.superstep(scope.graph(), at, tasks, finished(at, tasks, ends), next));
    var changed =
        applied.changes().stream()
            .filter(c -> next.layout().isDeclared(c.place()))
            .map(c -> next.layout().channel(c.place()).name())
            .toList();
    var due = next.position().due().stream().map(d -> d.node().name()).toList();
    var checkpoint = saving == null ? "" : next.position().checkpoint();
    telling.say(next.step(), o -> new Event.StepFinished(o, checkpoint, changed, due));
    // A returned question is safe with the checkpoint that it waits in.
    for (var end : ends) {
      if (!(end instanceof TaskResult.Finished finished)) continue;
      var asked = finished.asked();
      if (asked != null) telling.say(next.step(), o -> new Event.InterruptRaised(o, asked));
    }
    ended(telling, next);
  }
}
