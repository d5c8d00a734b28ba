package dev.superstep.graph.internal.run;

import dev.superstep.graph.internal.kernel.NodeSpec;
import dev.superstep.graph.internal.kernel.ResumeRecords;
import dev.superstep.graph.internal.kernel.Snapshot;
import dev.superstep.graph.internal.kernel.Superstep;
import dev.superstep.graph.internal.kernel.Task;
import dev.superstep.graph.internal.kernel.TaskResult;
import dev.superstep.graph.internal.persistence.RunWriter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// A superstep with tasks in flight: the current one, or one with tasks that started early. For the
/// run's own thread.
final class InFlightSuperstep {
  private final RunWriter.ReservedCheckpoint reserved;

  /// By the index of their nodes, which is task order.
  private final TreeMap<Integer, Slot> ahead = new TreeMap<>();

  /// All tasks, in task order, once the run has come here.
  private @Nullable List<Slot> due;

  /// @param reserved the checkpoint from which its tasks run, there already or to come, and what is
  ///   known of them from earlier runs
  InFlightSuperstep(RunWriter.ReservedCheckpoint reserved) {
    this.reserved = reserved;
  }

  InFlightSuperstep(Superstep step) {
    this(new RunWriter.ReservedCheckpoint(step.at().position().place(), step.known()));
  }

  /// A task and how far it has come.
  static final class Slot {
    private final Task task;
    private boolean started;
    private @Nullable TaskResult end;

    Slot(Task task, @Nullable TaskResult end) {
      this.task = task;
      this.end = end;
      this.started = end != null;
    }

    Task task() {
      return task;
    }

    NodeSpec node() {
      return task.due().node();
    }

    boolean isStarted() {
      return started;
    }

    void start() {
      started = true;
    }

    void end(TaskResult how) {
      end = how;
    }

    /// The result of the task, or null if it has not ended.
    @Nullable TaskResult end() {
      return end;
    }
  }

  RunWriter.ReservedCheckpoint reserved() {
    return reserved;
  }

  Snapshot.Begin place() {
    return reserved.place();
  }

  ResumeRecords known() {
    return reserved.known();
  }

  /// The task of this node, if it was begun ahead.
  @Nullable Slot ahead(NodeSpec node) {
    return ahead.get(node.index());
  }

  void ahead(Slot slot) {
    ahead.put(slot.node().index(), slot);
  }

  /// Returns the tasks of the superstep when the run has come to it: those that started early, and
  /// new ones for the rest.
  ///
  /// @return the same, with those that were begun ahead in their places
  List<Task> due(List<Task> planned) {
    var slots = new ArrayList<Slot>(planned.size());
    int found = 0;
    for (var task : planned) {
      var begun = task.due().node().hasArgument() ? null : ahead(task.due().node());
      if (begun != null && !begun.task().due().isSameAs(task.due())) begun = null;
      if (begun != null) found++;
      slots.add(begun == null ? new Slot(task, null) : begun);
    }
    if (found < ahead.size()) {
      throw new IllegalStateException("a task was begun that is not due: " + ahead.keySet());
    }
    due = slots;
    return slots.stream().map(Slot::task).toList();
  }

  /// The known tasks, in task order.
  Collection<Slot> slots() {
    return due == null ? ahead.values() : due;
  }

  boolean isOver() {
    for (var slot : slots()) if (slot.end() == null) return false;
    return true;
  }
}
