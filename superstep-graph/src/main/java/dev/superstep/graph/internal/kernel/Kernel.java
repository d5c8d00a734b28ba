package dev.superstep.graph.internal.kernel;

import dev.superstep.checkpoint.Activation;
import dev.superstep.checkpoint.Memories;
import dev.superstep.checkpoint.Memory;
import dev.superstep.error.Deadlock;
import dev.superstep.error.NodeFailed;
import dev.superstep.run.Input;
import dev.superstep.state.Write;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Computes, without clock, thread or storage, the next snapshot from the results of a superstep,
/// and the tasks that are due next. The same for every scheduler.
public final class Kernel {
  private final String graph;
  private final ExecutionGraph executionGraph;
  private final Triggers triggers;
  private final ChannelIndex index;
  private final @Nullable SharedWrites sharedWrites;
  private final boolean explains;

  Kernel(String graph, ExecutionGraph executionGraph, Triggers triggers, ChannelIndex index) {
    this.graph = graph;
    this.executionGraph = executionGraph;
    this.triggers = triggers;
    this.index = index;
    this.sharedWrites = null;
    this.explains = false;
  }

  private Kernel(
      Kernel same, ChannelIndex index, @Nullable SharedWrites sharedWrites, boolean explains) {
    this.graph = same.graph;
    this.executionGraph = same.executionGraph;
    this.triggers = same.triggers;
    this.index = index;
    this.sharedWrites = sharedWrites;
    this.explains = explains;
  }

  /// Returns a copy for more channels, which come after the others.
  Kernel on(ChannelIndex other, @Nullable SharedWrites shared) {
    return new Kernel(this, other, shared, explains);
  }

  /// Returns a copy that records its reasons.
  public Kernel explaining() {
    return new Kernel(this, index, sharedWrites, true);
  }

  /// A snapshot after a fold, and what changed on the way.
  ///
  /// @param reasons for the tasks that are due next; empty if the kernel was not to record them
  public record Applied(
      Snapshot next, List<Folding.Changed> changes, List<RoutingReason> reasons) {}

  /// Folds new input and activates what follows START.
  public Applied input(Snapshot at, Input input, Snapshot.Begin begin, RouteOverride chooser) {
    var folding = new Folding(index);
    folding.add(null, input.writes());
    triggers.consumeResults(folding);
    var cells = at.copyCells();
    var changes = folding.into(cells);
    var folded = new Snapshot(index, cells, at.position().cleared());
    var frontier = new Frontier(executionGraph, triggers, folded, chooser, explains);
    frontier.remember(at.position().marks().memories());
    if (input.isSeeded()) frontier.seed(input);
    else frontier.follow(executionGraph.start());
    var position = frontier.position(begin, at.step() + 1, List.of(), Map.of());
    return new Applied(folded.at(position), changes, frontier.reasons());
  }

  public boolean hasTriggers() {
    return !triggers.isEmpty();
  }

  /// The tasks that are due, in task order.
  public List<Task> plan(Snapshot at) {
    var due = at.position().due();
    if (due.size() == 1) return List.of(task(at, 0));
    var tasks = new ArrayList<Task>(due.size());
    for (int i = 0; i < due.size(); i++) tasks.add(task(at, i));
    return tasks;
  }

  private static Task task(Snapshot at, int ordinal) {
    var due = at.position().due().get(ordinal);
    return new Task(at.position(), ordinal, Gates.isClosed(due, at));
  }

  /// Folds the results of a superstep, in task order, and follows them.
  ///
  /// @param place where they lead to
  public Applied apply(
      Superstep step,
      List<TaskResult.Finished> results,
      Snapshot.Begin place,
      RouteOverride chooser) {
    return apply(step, results, place, chooser, List.of());
  }

  /// @param left tasks that are due beside those that follow
  private Applied apply(
      Superstep step,
      List<TaskResult.Finished> results,
      Snapshot.Begin place,
      RouteOverride chooser,
      List<PendingTask> left) {
    var at = step.at();
    var tasks = step.tasks();
    var folding = new Folding(index);
    for (int i = 0; i < tasks.size(); i++) folding.add(tasks.get(i), results.get(i).writes());
    Triggers.consume(tasks, results, index, folding);
    if (sharedWrites != null) sharedWrites.record(folding, step.number(), results);
    var cells = at.copyCells();
    var changes = folding.into(cells);
    var folded = new Snapshot(index, cells, at.position());
    var frontier = new Frontier(executionGraph, triggers, folded, chooser, explains);
    frontier.carry(left);
    frontier.remember(memories(at, tasks, results));
    for (int i = 0; i < tasks.size(); i++) {
      frontier.follow(tasks.get(i).due(), results.get(i).next());
    }
    var seen = Gates.seen(at, tasks, results);
    var position = frontier.position(place, step.number(), ran(tasks), seen);
    return new Applied(folded.at(position), changes, frontier.reasons());
  }

  private static Memories memories(
      Snapshot at, List<Task> tasks, List<? extends TaskResult> results) {
    Map<String, Map<String, Memory>> now = Map.of();
    for (int i = 0; i < tasks.size(); i++) {
      var left = results.get(i).left();
      if (left == null) continue;
      if (now.isEmpty()) now = new LinkedHashMap<>();
      now.put(Memories.path(tasks.get(i).node()), left);
    }
    return at.position().marks().memories().replaced(now);
  }

  /// Returns the end of a graph in whose superstep a task handed off.
  public Halt.Left left(Superstep step, List<TaskResult> ends) {
    var writes = shared(step.at(), step.tasks(), ends);
    var memories = memories(step.at(), step.tasks(), ends);
    return new Halt.Left(Next.Leave.outward(ends, writes), memories);
  }

  /// The failure of a superstep, with those of all its tasks; null if none failed.
  public @Nullable NodeFailed failure(Superstep step, List<TaskResult> ends) {
    NodeFailed failure = null;
    for (int i = 0; i < ends.size(); i++) {
      if (!(ends.get(i) instanceof TaskResult.Failed(var error))) continue;
      var next = failed(step, step.tasks().get(i), error);
      if (failure == null) failure = next;
      else failure.addSuppressed(next);
    }
    return failure;
  }

  private NodeFailed failed(Superstep step, Task task, Throwable error) {
    return new NodeFailed(graph, task.node(), step.number(), task.attempts(), error);
  }

  /// The result of a node that has not run.
  public record Done(NodeSpec node, TaskResult.Finished result) {}

  /// Folds the results of nodes as if they had run in a superstep of their own, and follows them.
  /// Other due tasks stay due, as the same tasks.
  public Applied edit(Snapshot at, List<Done> done, Snapshot.Begin begin) {
    var left = new ArrayList<PendingTask>();
    for (var task : plan(at)) left.add(task.due().withId(task.id()));
    // What is made as START begins anew, as input does.
    if (done.stream().anyMatch(one -> one.node() == executionGraph.start())) left.clear();
    var due = new ArrayList<PendingTask>();
    for (var one : done) due.add(removeTask(one.node(), left));
    var position = at.position();
    var edited =
        new Snapshot.Position(
            new Snapshot.Begin(position.checkpoint(), begin.generation()),
            position.step(),
            due,
            position.deferred(),
            position.marks());
    var tasks = new ArrayList<Task>();
    for (int i = 0; i < due.size(); i++) tasks.add(new Task(edited, i, false));
    var results = done.stream().map(Done::result).toList();
    var step = new Superstep(at.at(edited), tasks, ResumeRecords.NONE);
    return apply(step, results, begin, RouteOverride.NONE, left);
  }

  /// Drops the tasks that are due or deferred, and what joins have seen; the values stay.
  public Applied discard(Snapshot at, Snapshot.Begin begin) {
    var none =
        new Snapshot.Position(
            begin, at.step() + 1, List.of(), DeferredTasks.NONE, at.position().cleared().marks());
    return new Applied(at.at(none), List.of(), List.of());
  }

  /// Removes a pending task of a node and returns it; if there is none, returns one as if a command
  /// had named the node.
  private static PendingTask removeTask(NodeSpec node, List<PendingTask> left) {
    for (var due : left) {
      if (due.node() != node || due.isOneOfSeveral()) continue;
      left.remove(due);
      return due;
    }
    return new PendingTask(node, new Activation.Commanded(node.name()), null);
  }

  /// Returns the writes to shared channels that reach the outer graph, if the graph ends with this
  /// superstep.
  private List<Write> shared(Snapshot at, List<Task> tasks, List<TaskResult> ends) {
    if (sharedWrites == null) return List.of();
    var results = new ArrayList<TaskResult.Finished>(ends.size());
    var folding = new Folding(index);
    for (int i = 0; i < ends.size(); i++) {
      var writes =
          ends.get(i) instanceof TaskResult.Finished finished
              ? finished.writes()
              : List.<Write>of();
      folding.add(tasks.get(i), writes);
      results.add(TaskResult.Finished.writing(writes));
    }
    sharedWrites.record(folding, at.step() + 1, results);
    var cells = at.copyCells();
    folding.into(cells);
    var marks = Snapshot.Marks.NONE;
    var end =
        new Snapshot.Position(
            Snapshot.Begin.NOWHERE, at.step() + 1, List.of(), DeferredTasks.NONE, marks);
    return sharedWrites.writes(new Snapshot(index, cells, end));
  }

  private static List<String> ran(List<Task> tasks) {
    var first = tasks.getFirst();
    if (tasks.size() == 1) return first.isSkipped() ? List.of() : first.due().node().ran;
    var ran = new LinkedHashSet<String>();
    for (var task : tasks) if (!task.isSkipped()) ran.add(task.node());
    return List.copyOf(ran);
  }

  /// Returns whether nothing is left to do.
  public boolean isDone(Snapshot at) {
    return at.position().due().isEmpty() && waiting(at).isEmpty();
  }

  /// The deadlock of a run that has nothing due while a join or a trigger still waits; null if it
  /// is done.
  @Nullable Deadlock deadlock(Snapshot at) {
    var waiting = waiting(at);
    return waiting.isEmpty() ? null : new Deadlock(graph, waiting);
  }

  /// Returns whether a run ends here: nothing is due, or only tasks that wait for answers.
  public boolean isEnd(Snapshot at) {
    for (var due : at.position().due()) {
      if (!(due.activation() instanceof Activation.Resumed)) return false;
    }
    return !at.position().due().isEmpty() || isDone(at);
  }

  private List<Deadlock.Waiting> waiting(Snapshot at) {
    var waiting = new ArrayList<Deadlock.Waiting>();
    for (var arrived : at.position().arrived().entrySet()) {
      var join = executionGraph.join(arrived.getKey());
      if (arrived.getValue().size() < join.needs()) waiting.add(join.waiting(arrived.getValue()));
    }
    triggers.waiting(at, waiting);
    return waiting;
  }
}
