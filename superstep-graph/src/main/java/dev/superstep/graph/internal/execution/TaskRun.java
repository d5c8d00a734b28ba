package dev.superstep.graph.internal.execution;

import dev.superstep.call.LimitedCall;
import dev.superstep.checkpoint.Interrupt;
import dev.superstep.checkpoint.NodeCache;
import dev.superstep.error.InvalidUse;
import dev.superstep.error.NodeFailed;
import dev.superstep.error.VisitLimitReached;
import dev.superstep.event.Event;
import dev.superstep.graph.internal.kernel.EventSink;
import dev.superstep.graph.internal.kernel.Halt.DeadlineReached;
import dev.superstep.graph.internal.kernel.HandOffs;
import dev.superstep.graph.internal.kernel.Interrupts;
import dev.superstep.graph.internal.kernel.Next;
import dev.superstep.graph.internal.kernel.NodeSpec;
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
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Runs one task: the only place that calls a node. For one thread.
public final class TaskRun {
  private final RunScope scope;
  private final SuperstepWriter superstepWriter;
  private final Snapshot at;
  private final Task task;
  private final LoopThread.@Nullable Loop loop;
  private NodeCache.@Nullable Key key;
  private long began;
  private @Nullable Recovery recovery;

  public TaskRun(RunScope scope, SuperstepWriter superstepWriter, Snapshot at, Task task) {
    this(scope, superstepWriter, at, task, null);
  }

  /// @param loop the loop of the run, if the task is alone in its superstep and any thread can
  ///   continue after its end
  public TaskRun(
      RunScope scope,
      SuperstepWriter superstepWriter,
      Snapshot at,
      Task task,
      LoopThread.@Nullable Loop loop) {
    this.loop = loop;
    this.scope = scope;
    this.superstepWriter = superstepWriter;
    this.at = at;
    this.task = task;
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
      scope.publisher().publish(task.step(), taken ? this::nodeCached : this::started);
      EventDetails.started(scope.publisher(), task.step(), task);
    }
    return settled(early != null ? early : TaskResult.leaving(call(answers, null), task.left()));
  }

  /// Makes a call for the node, which then does its rest.
  <T> NodeResult call(LimitedCall<T> call, TaskContext context) throws Exception {
    return Objects.requireNonNull(loop).thread().call(call, context, this);
  }

  /// Does the rest of the node on another thread than what came before, and saves how it ended.
  TaskResult rest(TaskContext context, Callable<NodeResult> rest) {
    var end = call(context.answers(), () -> attempt(context, rest));
    return settled(TaskResult.leaving(end, task.left()));
  }

  /// Saves and publishes how the node has ended.
  private TaskResult settled(TaskResult end) {
    switch (end) {
      case TaskResult.Finished finished -> {
        if (superstepWriter.isDeferred(task, end)) break;
        var batch = eventBatch();
        announce(batch, task.step(), task, finished);
        save(end, batch);
      }
      case TaskResult.Waiting(var wait) -> {
        var batch = eventBatch();
        // Nobody can answer before the run has come to the superstep.
        if (!task.isEarly()) raise(batch, task.step(), task, wait.questions());
        EventDetails.ended(batch, task.step(), task, end);
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
    batch.publish(task.step(), o -> new Event.NodeFailed(o, task.node(), task.id(), why, then));
    if (end instanceof TaskResult.Failed) EventDetails.ended(batch, task.step(), task, end);
    if (end instanceof TaskResult.Finished finished && !superstepWriter.isDeferred(task, end))
      announce(batch, task.step(), task, finished);
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

  /// Makes attempts as its policy says.
  ///
  /// @param rest what is left of one that began on another thread, if that is so
  private TaskResult call(Map<String, Json> answers, @Nullable Supplier<TaskResult> rest) {
    if (rest == null) began = System.nanoTime();
    var end = rest != null ? saved(rest.get()) : first(answers);
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

  private TaskResult first(Map<String, Json> answers) {
    return isVisitTooMuch() ? overVisits() : saved(attempt(answers));
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
    if (!superstepWriter.isDeferred(task, end)) task.saveSteps();
    task.checkSaved();
    return end;
  }

  private @Nullable Recovery recovery() {
    var policy = task.due().node().policy();
    if (policy == null) return null;
    var known = recovery;
    if (known == null) recovery = known = new Recovery(scope, task, task.step(), policy);
    return known;
  }

  /// Makes an attempt, on the thread of the task if its time is unlimited.
  private TaskResult attempt(Map<String, Json> answers) {
    boolean timed = task.due().isTimed() || scope.limits().isLeaving();
    if (!timed) {
      var lone = loop == null ? null : this;
      var own = new TaskContext(scope, task, answers, null).lone(lone);
      return attempt(own, null);
    }
    var due = task.due();
    var watch = new AttemptDeadline(due.timeout(), due.idleTimeout(), System.nanoTime());
    var context = new TaskContext(scope, task, answers, watch);
    return new TimedAttempt(scope, task.node(), watch).run(() -> attempt(context, null));
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

  /// @param rest what is left of an attempt that began on another thread, if that is so
  private TaskResult attempt(TaskContext context, @Nullable Callable<NodeResult> rest) {
    var end = call(context, rest);
    context.end();
    // A node may have caught the suspension, as libraries do that wrap whatever is thrown.
    var open = context.open();
    if (!open.isEmpty()) return TaskResult.Waiting.asking(open);
    var stopped = context.stopped();
    return stopped == null ? end : new TaskResult.Waiting(Wait.stopped(stopped));
  }

  private TaskResult call(TaskContext context, @Nullable Callable<NodeResult> rest) {
    try {
      var node = task.due().node();
      var result = rest != null ? rest.call() : run(node, context);
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
    } catch (HandedOver e) {
      throw e;
    } catch (Throwable error) {
      return new TaskResult.Failed(error);
    }
  }

  private NodeResult run(NodeSpec node, TaskContext context) throws Exception {
    context.checkMayBegin();
    return node.body().run(task.due().argument(), NarrowState.of(at, node), context);
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
