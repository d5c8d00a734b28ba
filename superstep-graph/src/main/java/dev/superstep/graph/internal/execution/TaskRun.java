package dev.superstep.graph.internal.execution;

import dev.superstep.checkpoint.Interrupt;
import dev.superstep.checkpoint.NodeCache;
import dev.superstep.error.InvalidUse;
import dev.superstep.error.NodeFailed;
import dev.superstep.error.VisitLimitReached;
import dev.superstep.event.Event;
import dev.superstep.graph.internal.kernel.DeadlineReached;
import dev.superstep.graph.internal.kernel.EventSink;
import dev.superstep.graph.internal.kernel.HandOffs;
import dev.superstep.graph.internal.kernel.Interrupts;
import dev.superstep.graph.internal.kernel.Next;
import dev.superstep.graph.internal.kernel.PolicySettings;
import dev.superstep.graph.internal.kernel.Snapshot;
import dev.superstep.graph.internal.kernel.SubgraphResult;
import dev.superstep.graph.internal.kernel.Task;
import dev.superstep.graph.internal.kernel.TaskResult;
import dev.superstep.graph.internal.kernel.Wait;
import dev.superstep.graph.internal.kernel.WriteCompletion;
import dev.superstep.graph.internal.publish.EventBatch;
import dev.superstep.graph.internal.publish.EventDetails;
import dev.superstep.json.Json;
import dev.superstep.node.Ask;
import dev.superstep.node.Command;
import dev.superstep.node.Converge;
import dev.superstep.node.EngineResult;
import dev.superstep.node.HandOff;
import dev.superstep.node.NoUpdate;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Update;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Runs one task: the only place that calls a node. For one thread.
public final class TaskRun {
  private final RunScope scope;
  private final SuperstepWriter superstepWriter;
  private final Snapshot at;
  private final Task task;
  private final int step;
  private NodeCache.@Nullable Key key;

  public TaskRun(RunScope scope, SuperstepWriter superstepWriter, Snapshot at, Task task) {
    this.scope = scope;
    this.superstepWriter = superstepWriter;
    this.at = at;
    this.task = task;
    this.step = at.step() + 1;
  }

  /// Runs the node and saves how it ended. Whatever the node throws becomes a value.
  ///
  /// @return null if the task has to run but came too early for its rates: it is to be called again
  ///   when they let it begin, and does run then
  public @Nullable TaskResult run(Map<String, Json> answers) {
    var early = cached();
    if (early == null && isTooEarly()) return null;
    boolean taken = early instanceof TaskResult.Finished;
    if (early == null) early = awaitTurn();
    if (scope.publisher().hasListeners()) {
      scope.publisher().publish(step, taken ? this::nodeCached : this::started);
      EventDetails.started(scope.publisher(), step, task);
    }
    var end = early != null ? early : TaskResult.leaving(call(answers), task.left());
    switch (end) {
      case TaskResult.Finished finished -> {
        if (superstepWriter.isDeferred(task, end)) break;
        var batch = eventBatch();
        announce(batch, step, task, finished);
        save(end, batch);
      }
      case TaskResult.Waiting(var wait) -> {
        var batch = eventBatch();
        // Nobody can answer before the run has come to the superstep.
        if (!task.isEarly()) raise(batch, step, task, wait.questions());
        EventDetails.ended(batch, step, task, end);
        save(end, batch);
      }
      case TaskResult.Failed failed -> {
        return fail(failed);
      }
    }
    return end;
  }

  /// Runs the node; if it comes too early for its rates, waits.
  public TaskResult runAnyway(Map<String, Json> answers) {
    var end = run(answers);
    return end != null ? end : Objects.requireNonNull(run(answers));
  }

  /// Saves and publishes the result of a failure. A handled one is saved at once: nobody may hear
  /// of it before.
  private TaskResult fail(TaskResult.Failed failed) {
    var recovery = recovery();
    var end = recovery == null ? failed : TaskResult.leaving(recovery.settle(failed), task.left());
    var why = NodeFailed.why(failed.error());
    var then =
        recovery == null || end instanceof TaskResult.Failed
            ? Event.NodeFailed.Then.ABORT
            : recovery.then();
    var batch = eventBatch();
    batch.publish(step, o -> new Event.NodeFailed(o, task.node(), task.id(), why, then));
    if (end instanceof TaskResult.Failed) EventDetails.ended(batch, step, task, end);
    if (end instanceof TaskResult.Finished finished && !superstepWriter.isDeferred(task, end))
      announce(batch, step, task, finished);
    save(end, batch);
    return end;
  }

  private EventBatch eventBatch() {
    return new EventBatch(scope.publisher());
  }

  public static void raise(EventSink sink, int step, Task task, List<Interrupt> interrupts) {
    for (var interrupt : interrupts) {
      // A question of a subgraph was published where it was asked.
      if (!interrupt.task().equals(task.id())) continue;
      sink.publish(step, o -> new Event.InterruptRaised(o, interrupt));
    }
  }

  public static void announce(EventSink sink, int step, Task task, TaskResult.Finished finished) {
    if (!sink.hasListeners()) return;
    EventDetails.ended(sink, step, task, finished);
    var writes =
        finished.next() instanceof Next.Leave(_, var command)
            ? command.writes()
            : finished.writes();
    var channels = writes.stream().map(w -> w.channel().name()).distinct().toList();
    sink.publish(
        step, o -> new Event.NodeFinished(o, task.node(), task.id(), channels, task.duration()));
  }

  private Event started(dev.superstep.event.Origin origin) {
    return new Event.NodeStarted(origin, task.node(), task.id(), task.due().activation());
  }

  private Event nodeCached(dev.superstep.event.Origin origin) {
    return new Event.NodeCached(origin, task.node(), task.id(), task.due().activation());
  }

  /// Returns a result that makes running the node unnecessary, or null if it must run.
  private @Nullable TaskResult cached() {
    var nodeCache = scope.limits().nodeCache();
    if (nodeCache == null) return null;
    try {
      key = NodeCacheAccess.key(scope.graph(), NarrowState.of(at, task.due().node()), task);
      var found = key == null ? null : nodeCache.find(scope.graph(), task, key);
      if (found == null) return null;
      scope.limits().rateLimiter().release(task);
      return complete(found);
    } catch (RuntimeException | Error e) {
      // The key and the completion of writes are the program's own code.
      return new TaskResult.Failed(e);
    }
  }

  /// Returns whether a task must now wait for a rate: it could have been cached, and was therefore
  /// not held up before.
  private boolean isTooEarly() {
    if (key == null || task.isCacheMiss() || task.admitted() != null) return false;
    task.cacheMissed();
    var rateLimiter = scope.limits().rateLimiter();
    return rateLimiter.limits(task.due().node()) && !rateLimiter.admit(task).isZero();
  }

  private TaskResult.Finished complete(TaskResult.Finished result) {
    var writes = WriteCompletion.of(result.writes(), WriteCompletion.idsOf(task));
    return WriteCompletion.isSame(writes, result.writes()) ? result : result.with(writes);
  }

  private TaskResult call(Map<String, Json> answers) {
    long began = System.nanoTime();
    var end = isVisitTooMuch() ? overVisits() : saved(attempt(answers));
    while (end instanceof TaskResult.Failed failed) {
      var recovery = recovery();
      var last = recovery == null ? failed : recovery.beforeNext(failed);
      if (last == null) last = awaitTurn();
      if (last != null) {
        end = last;
        break;
      }
      if (scope.limits().isCancelled()) break;
      end = saved(attempt(answers));
    }
    task.duration(System.nanoTime() - began);
    return end;
  }

  private boolean isVisitTooMuch() {
    var policy = task.due().node().policy();
    return policy != null && !scope.limits().tryAcquireVisit(task.due().node(), policy.visits());
  }

  private TaskResult overVisits() {
    var node = task.due().node();
    int most = Objects.requireNonNull(node.policy()).visits();
    return new TaskResult.Failed(new VisitLimitReached(node.name(), most));
  }

  /// No policy of a node may pass over a failure of the store.
  private TaskResult saved(TaskResult end) {
    task.checkSaved();
    return end;
  }

  private @Nullable Recovery recovery() {
    var policy = task.due().node().policy();
    return policy == null ? null : new Recovery(scope, task, step, policy);
  }

  /// Makes an attempt, on the thread of the task if its time is unlimited.
  private TaskResult attempt(Map<String, Json> answers) {
    var policy = task.due().node().policy();
    boolean timed = (policy != null && policy.isTimed()) || scope.limits().isLeaving();
    if (!timed) return attempt(new TaskContext(scope, task, step, answers, null));
    var watch =
        new AttemptDeadline(policy == null ? PolicySettings.NOTHING : policy, System.nanoTime());
    var context = new TaskContext(scope, task, step, answers, watch);
    return new TimedAttempt(scope, task.node(), watch).run(() -> attempt(context));
  }

  /// Waits until rates admit an attempt; if that cannot be, returns the task's result.
  private @Nullable TaskResult awaitTurn() {
    var rateLimiter = scope.limits().rateLimiter();
    if (!rateLimiter.limits(task.due().node())) return null;
    try {
      rateLimiter.await(task);
      return null;
    } catch (InterruptedException | DeadlineReached e) {
      return new TaskResult.Failed(e);
    }
  }

  private TaskResult attempt(TaskContext context) {
    var end = call(context);
    context.end();
    // A node may have caught the suspension, as libraries do that wrap whatever is thrown.
    var open = context.open();
    if (!open.isEmpty()) return TaskResult.Waiting.asking(open);
    var stopped = context.stopped();
    return stopped == null ? end : new TaskResult.Waiting(Wait.stopped(stopped));
  }

  private TaskResult call(TaskContext context) {
    try {
      context.checkMayBegin();
      var node = task.due().node();
      var state = NarrowState.of(at, node);
      var result = node.body().run(task.due().argument(), state, context);
      if (result == null) throw InvalidUse.returnedNull(task.node());
      if (result instanceof SubgraphResult(var end)) {
        scope.graph().checkWrites(task.due().node(), end);
        return end;
      }
      if (result instanceof HandOff handOff)
        return HandOffs.checked(scope.identity(), task, handOff);
      if (result instanceof Ask<?, ?> ask) Interrupts.check(scope.identity(), task, ask.question());
      var finished = finished(result);
      scope.graph().check(node, finished);
      var complete = complete(finished);
      if (key != null && finished.asked() == null && context.isRepeatable()) cache(key, finished);
      return complete;
    } catch (Throwable error) {
      return new TaskResult.Failed(error);
    }
  }

  /// The result of a task that returned and did not leave its graph.
  private TaskResult.Finished finished(NodeResult result) {
    return switch (result) {
      case NoUpdate() -> TaskResult.Finished.NOTHING;
      case Update(var writes) -> TaskResult.Finished.writing(writes);
      case Command command ->
          new TaskResult.Finished(command.update().writes(), Next.Goto.of(command));
      case Converge(var update, var signal) ->
          new TaskResult.Finished(update.writes(), Next.EDGES, signal, null);
      case Ask<?, ?> ask ->
          new TaskResult.Finished(
              ask.update().writes(), new Next.Ask(Interrupts.returned(task, ask)));
      case HandOff _, EngineResult _ ->
          throw new IllegalArgumentException("it ends otherwise: " + result);
    };
  }

  /// Without the ids that were given to it now: each use of it gets its own.
  private void cache(NodeCache.Key key, TaskResult.Finished result) {
    var nodeCache = scope.limits().nodeCache();
    if (nodeCache != null) nodeCache.put(scope.graph(), task, key, result);
  }

  private void save(TaskResult end, EventBatch batch) {
    superstepWriter.task(at, task, end, batch);
  }
}
