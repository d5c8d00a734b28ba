package dev.superstep.graph.internal.run;

import dev.superstep.checkpoint.Activation;
import dev.superstep.graph.internal.execution.RunScope;
import dev.superstep.graph.internal.execution.SuperstepWriter;
import dev.superstep.graph.internal.execution.TaskRun;
import dev.superstep.graph.internal.kernel.DeferredTasks;
import dev.superstep.graph.internal.kernel.EngineThreads;
import dev.superstep.graph.internal.kernel.NodeSpec;
import dev.superstep.graph.internal.kernel.PendingTask;
import dev.superstep.graph.internal.kernel.Snapshot;
import dev.superstep.graph.internal.kernel.Superstep;
import dev.superstep.graph.internal.kernel.Task;
import dev.superstep.graph.internal.kernel.TaskResult;
import dev.superstep.graph.internal.persistence.RunWriter;
import dev.superstep.json.Json;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/// Runs the tasks of a run with [dev.superstep.graph.RunOptions#dataflow]: those of the current
/// superstep, and tasks of later supersteps that [EarlyStartAnalysis] allows to start. Their
/// results are still folded, routed and saved superstep by superstep. For the run's own thread;
/// tasks report their end through a queue.
final class DataflowScheduler implements TaskScheduler {
  private final RunScope scope;
  private final RunWriter writer;
  private final SuperstepWriter superstepWriter;
  private final TaskScheduler barrier;
  private final EarlyStartAnalysis analysis;
  private final List<InFlightSuperstep> levels = new ArrayList<>();
  private final BlockingQueue<Done> news = new LinkedBlockingQueue<>();
  private final Set<Thread> threads = new HashSet<>();
  private final Map<NodeSpec, Integer> atWork = new HashMap<>();
  private @Nullable Throwable failure;
  private int step;

  /// @param superstepWriter saves the ends of tasks
  /// @param barrier runs tasks that are alone
  DataflowScheduler(
      RunScope scope, RunWriter writer, SuperstepWriter superstepWriter, TaskScheduler barrier) {
    this.scope = scope;
    this.writer = writer;
    this.superstepWriter = superstepWriter;
    this.barrier = barrier;
    this.analysis = new EarlyStartAnalysis(scope.graph());
  }

  /// Returns whether the run asks for this scheduler, and its graph can profit.
  static boolean isFor(RunScope scope) {
    if (!scope.options().isDataflow()) return false;
    // Breakpoints and task limits could not hold back a task that ran ahead.
    if (scope.limits().isCounted() || BreakpointCheck.of(scope) != null) return false;
    // A task after a hand-off must not have begun.
    if (scope.identity().mayHandOff()) return false;
    // Triggered nodes, and the tokens that they consume, are known only when a superstep is folded.
    if (scope.graph().kernel().hasTriggers()) return false;
    return scope.graph().executionGraph().nodes().stream().anyMatch(n -> n.access != null);
  }

  /// A task that has ended; or its error is one of the engine or its storage.
  private record Done(
      InFlightSuperstep.Slot slot,
      Thread thread,
      @Nullable TaskResult end,
      @Nullable Throwable error) {}

  @Override
  public Superstep arrive(Superstep due) {
    step = due.number();
    if (!levels.isEmpty()) levels.removeFirst();
    if (levels.isEmpty()) levels.add(new InFlightSuperstep(due));
    return new Superstep(due.at(), levels.getFirst().due(due.tasks()), due.known());
  }

  @Override
  public RunWriter.@Nullable ReservedCheckpoint next() {
    return levels.size() > 1 ? levels.get(1).reserved() : null;
  }

  /// Runs the tasks of the current superstep, and others ahead of it. The latter may still be at
  /// work when this returns.
  @Override
  public List<TaskResult> run(Superstep due, List<@Nullable TaskResult> known)
      throws InterruptedException {
    if (due.isLone()) return barrier.run(due, known);
    var at = due.at();
    var superstep = levels.getFirst();
    int i = 0;
    for (var slot : superstep.slots()) {
      var end = known.isEmpty() ? null : known.get(i++);
      if (end == null || slot.isStarted()) continue;
      slot.start();
      slot.end(end);
    }
    var byPriority = new ArrayList<>(superstep.slots());
    byPriority.sort(Comparator.comparingInt(DataflowScheduler::priority).reversed());
    while (!superstep.isOver()) {
      if (scope.limits().isCancelled()) {
        throw new InterruptedException("the run was cancelled");
      }
      if (failure == null) startDue(at, byPriority, due.known().answers());
      if (failure == null) startAhead(at);
      if (threads.isEmpty()) break;
      await();
    }
    if (failure != null) finish();
    return ends(at, superstep);
  }

  private List<TaskResult> ends(Snapshot at, InFlightSuperstep superstep) {
    var ends = new ArrayList<TaskResult>(superstep.slots().size());
    for (var slot : superstep.slots()) {
      var end = java.util.Objects.requireNonNull(slot.end());
      ends.add(end);
      // Only now can somebody answer.
      if (slot.task().isEarly() && end instanceof TaskResult.Waiting(var wait)) {
        TaskRun.raise(scope.publisher(), at.step() + 1, slot.task(), wait.questions());
      }
    }
    return ends;
  }

  private static int priority(InFlightSuperstep.Slot slot) {
    var policy = slot.node().policy();
    return policy == null ? 0 : policy.priority();
  }

  private void startDue(Snapshot at, List<InFlightSuperstep.Slot> due, Map<String, Json> answers) {
    for (var slot : due) {
      if (threads.size() >= scope.options().concurrency()) return;
      if (!slot.isStarted() && hasRoom(slot.node())) start(slot, at, answers);
    }
  }

  private void startAhead(Snapshot at) {
    int most = scope.limit() - at.step() - 1;
    while (threads.size() < scope.options().concurrency()
        && !scope.limits().isPastDeadline()
        && !scope.limits().isDraining()
        && !scope.limits().isCancelled()) {
      var start = analysis.next(at, levels, most, this::hasRoom);
      if (start == null) return;
      begin(at, start);
    }
  }

  private void begin(Snapshot at, EarlyStartAnalysis.Start start) {
    var superstep = level(start.level());
    var due = new PendingTask(start.node(), new Activation.Edge(start.from().name()), null);
    int step = at.step() + start.level();
    var position =
        new Snapshot.Position(
            superstep.place(), step, List.of(due), DeferredTasks.NONE, Snapshot.Marks.NONE);
    var task = Task.early(position);
    var state = start.state().at(position);
    writer.openEarly(task, state, superstep.known());
    var slot = new InFlightSuperstep.Slot(task, superstep.known().end(task, writer));
    superstep.ahead(slot);
    if (!slot.isStarted()) start(slot, state, Map.of());
  }

  /// A level, made if need be.
  private InFlightSuperstep level(int number) {
    while (levels.size() <= number) {
      var last = levels.getLast();
      levels.add(new InFlightSuperstep(writer.reserve(last.place(), last.known())));
    }
    return levels.get(number);
  }

  private boolean hasRoom(NodeSpec node) {
    var policy = node.policy();
    return policy == null || atWork.getOrDefault(node, 0) < policy.concurrency();
  }

  private void start(InFlightSuperstep.Slot slot, Snapshot at, Map<String, Json> answers) {
    slot.start();
    atWork.merge(slot.node(), 1, Integer::sum);
    var run = new TaskRun(scope, superstepWriter, at, slot.task());
    Runnable work =
        () -> {
          TaskResult end = null;
          Throwable error = null;
          try {
            end = run.runAnyway(answers);
          } catch (Throwable e) {
            error = e;
          }
          news.add(new Done(slot, Thread.currentThread(), end, error));
        };
    var name = slot.node().name();
    threads.add(EngineThreads.start(scope.run(), name, scope.carried(work)));
  }

  private void await() throws InterruptedException {
    try {
      accept(news.take());
    } catch (InterruptedException e) {
      cancel();
      var cancelled = new InterruptedException("the run was cancelled");
      cancelled.addSuppressed(e);
      throw cancelled;
    }
  }

  private void accept(Done done) {
    threads.remove(done.thread());
    atWork.merge(done.slot().node(), -1, Integer::sum);
    if (done.end() != null) done.slot().end(done.end());
    var error = done.error();
    if (error == null) return;
    if (failure == null) failure = error;
    else if (!failure.equals(error)) failure.addSuppressed(error);
  }

  /// Interrupts whatever is at work, and waits until it has ended.
  private void cancel() {
    boolean again = true;
    while (!threads.isEmpty()) {
      if (again) {
        scope.limits().cancel();
        threads.forEach(Thread::interrupt);
      }
      again = false;
      try {
        accept(news.take());
      } catch (InterruptedException _) {
        again = true;
      }
    }
    scope.publisher().at(step);
  }

  /// @throws InterruptedException if the calling thread is interrupted; the tasks are, too
  @Override
  public void finish() throws InterruptedException {
    while (!threads.isEmpty()) await();
    // Tasks ahead spoke of later ones.
    scope.publisher().at(step);
    if (failure instanceof RuntimeException e) throw e;
    if (failure instanceof Error e) throw e;
  }

  @Override
  public void finish(Throwable why) {
    if (why instanceof InterruptedException) {
      cancel();
      return;
    }
    try {
      finish();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error e) {
      if (!e.equals(why)) why.addSuppressed(e);
    }
  }
}
