package dev.superstep.graph.internal.run;

import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.checkpoint.Memories;
import dev.superstep.error.StepFailed;
import dev.superstep.event.Detail;
import dev.superstep.event.Event;
import dev.superstep.event.Origin;
import dev.superstep.graph.internal.execution.HandedOver;
import dev.superstep.graph.internal.execution.LoopThread;
import dev.superstep.graph.internal.execution.RunScope;
import dev.superstep.graph.internal.execution.SuperstepWriter;
import dev.superstep.graph.internal.execution.TaskRun;
import dev.superstep.graph.internal.kernel.EventSink;
import dev.superstep.graph.internal.kernel.Halt;
import dev.superstep.graph.internal.kernel.Kernel;
import dev.superstep.graph.internal.kernel.NestingDepth;
import dev.superstep.graph.internal.kernel.ResumeRecords;
import dev.superstep.graph.internal.kernel.RouteOverride;
import dev.superstep.graph.internal.kernel.Snapshot;
import dev.superstep.graph.internal.kernel.Superstep;
import dev.superstep.graph.internal.kernel.Task;
import dev.superstep.graph.internal.kernel.TaskResult;
import dev.superstep.graph.internal.kernel.Wait;
import dev.superstep.graph.internal.kernel.WriteCompletion;
import dev.superstep.graph.internal.persistence.RunWriter;
import dev.superstep.graph.internal.persistence.StopMarkers;
import dev.superstep.graph.internal.publish.EventBatch;
import dev.superstep.graph.internal.publish.EventDetails;
import dev.superstep.graph.internal.publish.RoutingExplainer;
import dev.superstep.run.Input;
import dev.superstep.run.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Runs a graph one superstep at a time: plan, run, fold, save, publish. One thread owns an
/// instance; the tasks of a superstep run on their own.
final class RunLoop implements LoopThread.Loop {
  private final RunScope scope;
  private final Kernel kernel;
  private final RunWriter writer;
  private final SuperstepWriter superstepWriter;
  private final Halt.Limits limits;
  private final TaskScheduler scheduler;

  private Halt.@Nullable Left left;
  private @Nullable Snapshot reached;
  private ResumeRecords records = ResumeRecords.NONE;
  private @Nullable Superstep inFlight;
  private @Nullable LoopThread thread;

  RunLoop(RunScope scope, RunWriter writer) {
    this.scope = scope;
    this.kernel = scope.graph().kernel();
    this.writer = writer;
    this.superstepWriter = new SuperstepWriter(scope, writer, TaskScheduler.isPlain(scope));
    this.limits = GraphLimits.of(scope, writer.isPersistent());
    this.scheduler = TaskScheduler.of(scope, writer, superstepWriter, this);
  }

  /// Publishes the state of a thread that is resumed.
  void show(Snapshot at) {
    show(at, scope.publisher());
  }

  void show(Snapshot at, EventSink sink) {
    EventDetails.values(sink, scope.identity(), at);
  }

  Outcome run(Snapshot from, ResumeRecords known) throws InterruptedException {
    StopMarkers.resumed(writer, from, known.steps());
    reached = from;
    records = known;
    try {
      return finished(this::loop);
    } catch (HandedOver _) {
      return thread().await();
    }
  }

  @Override
  public LoopThread thread() {
    var known = thread;
    if (known == null) thread = known = new LoopThread(scope, this);
    return known;
  }

  @Override
  public Outcome proceed(TaskResult end) throws InterruptedException {
    return finished(() -> {
      var outcome = end(Objects.requireNonNull(inFlight), scheduler.checked(List.of(end)));
      return outcome != null ? outcome : loop();
    });
  }

  private Outcome finished(NestingDepth.Work<Outcome> work) throws InterruptedException {
    try {
      var outcome = work.run();
      scheduler.finish();
      return outcome;
    } catch (HandedOver e) {
      throw e;
    } catch (Throwable e) {
      scheduler.finish(e);
      throw e;
    }
  }

  private Outcome loop() throws InterruptedException {
    while (true) {
      var step = plan(Objects.requireNonNull(reached), records);
      var halt = Halt.before(step, kernel, limits);
      if (halt != null) return refused(halt, step);
      step = scheduler.arrive(step);
      inFlight = step;
      var outcome = end(step, runTasks(step));
      if (outcome != null) return outcome;
    }
  }

  /// Ends a superstep whose tasks have ended.
  ///
  /// @return the outcome if the run halts there; null if it goes on
  private @Nullable Outcome end(Superstep step, List<TaskResult> ends) throws InterruptedException {
    var halt = Halt.after(step, ends, kernel, limits);
    if (halt != null) return halted(halt, step, ends);
    reached = advance(step, finished(ends));
    records = following(records);
    return null;
  }

  private Superstep plan(Snapshot at, ResumeRecords known) throws InterruptedException {
    // A node that does not block would not notice that its run was cancelled.
    if (!superstepWriter.isOver()) checkCancelled();
    return new Superstep(at, kernel.plan(at), known);
  }

  /// Ends a run that was asked to stop, even if a node has swallowed the interruption.
  private void checkCancelled() throws InterruptedException {
    var limits = scope.limits();
    if (Thread.interrupted()) limits.cancel();
    if (limits.isCancelled()) throw new InterruptedException("the run was cancelled");
  }

  /// Halts before a superstep, which is the place where a stop holds the thread.
  private Outcome refused(Halt halt, Superstep step) {
    if (halt instanceof Halt.Waiting(Wait.ForResume(var why))) {
      scope.hitBreakpoints().add(why, writer, step.at());
    }
    return halted(halt, step, List.of());
  }

  private Outcome halted(Halt halt, Superstep step, List<TaskResult> ends) {
    return switch (halt) {
      case Halt.Done() -> new Outcome.Completed(step.at());
      case Halt.Left how -> {
        left = how;
        yield new Outcome.Completed(step.at());
      }
      case Halt.Waiting(var wait) -> wait.outcome(step.at());
      case Halt.Failed(var error) -> throw failed(step, ends, error);
    };
  }

  private RuntimeException failed(
      Superstep step, List<? extends TaskResult> ends, RuntimeException error) {
    return StepFailed.at(step.failurePoint(scope.graph().name(), ends), error);
  }

  /// The state at the beginning of the last superstep; null before the first.
  @Nullable Snapshot reached() {
    return reached;
  }

  /// The result of the task around the graph, if the graph ended because it handed off.
  @Nullable TaskResult handedOff() {
    return left == null ? null : left.result();
  }

  /// The memories of subgraphs; null before the first superstep.
  @Nullable Memories memories() {
    if (left != null) return left.memories();
    return reached == null ? null : reached.position().marks().memories();
  }

  private List<TaskResult> runTasks(Superstep step) throws InterruptedException {
    superstepWriter.open(step);
    var known = known(step);
    if (scope.publisher().hasListeners()) {
      scope.publisher().publish(step.number(), o -> started(o, step.tasks(), known));
      if (!known.isEmpty()) restored(step, known);
    }
    for (var task : step.tasks()) if (task.isSkipped()) skipped(step.number(), task);
    return scheduler.run(step, known);
  }

  /// The results of tasks that need not run; none if all are to.
  private List<@Nullable TaskResult> known(Superstep step) {
    List<@Nullable TaskResult> known = List.of();
    int i = 0;
    for (var task : step.tasks()) {
      var end = task.isSkipped() ? TaskResult.Finished.NOTHING : step.known().end(task, writer);
      if (end != null && known.isEmpty()) {
        known = new ArrayList<>(step.tasks().size());
        for (int before = 0; before < i; before++) known.add(null);
      }
      if (i++ == 0 ? end != null : !known.isEmpty()) known.add(end);
    }
    return known;
  }

  private static Event started(Origin origin, List<Task> tasks, List<@Nullable TaskResult> known) {
    var nodes = tasks.stream().filter(t -> !t.isSkipped()).map(Task::node).toList();
    int finished = (int) known.stream().filter(end -> end != null && end.isFollowed()).count();
    return new Event.StepStarted(origin, nodes, finished - (tasks.size() - nodes.size()));
  }

  private void restored(Superstep step, List<@Nullable TaskResult> known) {
    for (int i = 0; i < known.size(); i++) {
      var task = step.tasks().get(i);
      if (task.isSkipped() || !(known.get(i) instanceof TaskResult.Finished finished)) continue;
      EventDetails.restored(scope.publisher(), step.number(), task, finished);
    }
  }

  private void skipped(int step, Task task) {
    var gate = task.due().node().gate.stream().map(c -> c.name()).toList();
    scope.publisher().publish(step, o -> new Event.NodeSkipped(o, task.node(), task.id(), gate));
  }

  @SuppressWarnings("unchecked") // otherwise the run would have halted
  private static List<TaskResult.Finished> finished(List<? extends TaskResult> ends) {
    return (List<TaskResult.Finished>) ends;
  }

  /// Folds the results of a superstep, saves where they lead to, and returns that.
  private Snapshot advance(Superstep step, List<TaskResult.Finished> results) {
    var routes = MatrixSession.of(scope, step.number(), step.tasks(), results);
    var applied = fold(step, results, routes);
    var batch = new EventBatch(scope.publisher());
    if (batch.hasListeners()) describe(batch, step, results, applied, routes);
    superstepWriter.checkpoint(step.at(), applied, Checkpoint.Source.LOOP, batch);
    return applied.next();
  }

  private Kernel.Applied fold(
      Superstep step, List<TaskResult.Finished> results, RouteOverride routes) {
    try {
      var applied = kernel().apply(step, results, place(step), routes);
      routes.applied();
      return applied;
    } catch (RuntimeException e) {
      superstepWriter.abandon(step, results);
      throw failed(step, results, e);
    }
  }

  /// The kernel, which records its reasons only for who asks.
  private Kernel kernel() {
    return scope.publisher().isWanted(Detail.ROUTES) ? kernel.explaining() : kernel;
  }

  private Snapshot.Begin place(Superstep step) {
    var begun = scheduler.next();
    if (begun != null) return begun.place();
    return writer.next(step.at().position().place(), step.known());
  }

  /// Returns the records of the tasks of the next superstep: none, unless some started early.
  private ResumeRecords following(ResumeRecords known) {
    var begun = scheduler.next();
    return begun == null ? writer.following(known) : begun.known();
  }

  /// Folds new input into the thread and activates what follows START.
  Snapshot input(Snapshot from, Input input) {
    return input(from, input, new EventBatch(scope.publisher()));
  }

  /// @param batch published once the input is saved
  Snapshot input(Snapshot from, Input input, EventBatch batch) {
    var routes = MatrixSession.of(scope, from.step() + 1, List.of(), List.of());
    var whole = complete(input);
    var nowhere = new Snapshot.Begin("", scope.identity().generation());
    var begin = writer.next(nowhere, ResumeRecords.NONE);
    var applied = kernel().input(from, whole, begin, routes);
    var next = applied.next();
    EventDetails.folded(batch, scope.identity(), from, next, Checkpoint.Source.INPUT);
    routes.announce(batch);
    EventDetails.routed(batch, applied, () -> RoutingExplainer.input(scope.graph(), applied));
    ended(batch, next);
    superstepWriter.checkpoint(from, applied, Checkpoint.Source.INPUT, batch);
    return next;
  }

  private Input complete(Input input) {
    var parent = scope.enclosing();
    // A graph inside a task begins in the same way whenever the task runs.
    var ids = parent == null ? scope.options().ids() : WriteCompletion.idsInside(parent.task());
    return input.with(WriteCompletion.of(input.writes(), ids));
  }

  private void describe(
      EventBatch batch,
      Superstep step,
      List<TaskResult.Finished> results,
      Kernel.Applied applied,
      RouteOverride routes) {
    var next = applied.next();
    // Only now may anyone hear that it finished.
    for (int i = 0; i < step.tasks().size(); i++) {
      var task = step.tasks().get(i);
      var result = results.get(i);
      if (superstepWriter.isDeferred(task, result))
        TaskRun.announce(batch, next.step(), task, result);
    }
    routes.announce(batch);
    EventDetails.folded(batch, scope.identity(), step.at(), next, Checkpoint.Source.LOOP);
    EventDetails.routed(
        batch, applied, () -> RoutingExplainer.superstep(scope.graph(), step, applied));
    var changed =
        applied.changes().stream()
            .filter(c -> next.index().isDeclared(c.place()))
            .map(c -> next.index().channel(c.place()).name())
            .toList();
    var due = next.position().due().stream().map(d -> d.node().name()).toList();
    var checkpoint = writer.isPersistent() ? next.position().checkpoint() : "";
    batch.publish(next.step(), o -> new Event.StepFinished(o, checkpoint, changed, due));
    // A returned question is safe with the checkpoint that it waits in.
    for (var result : results) {
      var asked = result.asked();
      if (asked != null) batch.publish(next.step(), o -> new Event.InterruptRaised(o, asked));
    }
    ended(batch, next);
  }

  /// Publishes that a subgraph has nothing left to do.
  private void ended(EventBatch batch, Snapshot next) {
    var parent = scope.enclosing();
    if (parent == null || !kernel.isDone(next)) return;
    batch.publish(next.step(), o -> new Event.SubgraphCompleted(o, parent.task().id()));
  }
}
