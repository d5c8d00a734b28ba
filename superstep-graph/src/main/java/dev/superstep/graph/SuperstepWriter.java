package dev.superstep.graph;

import dev.superstep.checkpoint.Checkpoint;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Ends the supersteps of one loop in as few writes as can be: each task is saved when it ends, but
/// one that is alone with the checkpoint; and the last write of the run is made as such, so that it
/// gives the lease back. For the run's own thread, but for [#isDeferred] and [#task].
final class SuperstepWriter {
  private final RunScope scope;
  private final RunWriter writer;
  // Whether nothing but tasks and checkpoints of this loop is saved, so that it knows the last.
  private final boolean isSole;

  private @Nullable Task lone;
  private boolean isLast;
  private boolean over;

  SuperstepWriter(RunScope scope, RunWriter writer) {
    this.scope = scope;
    this.writer = writer;
    this.isSole =
        writer.isKept()
            && scope.enclosing() == null
            && BreakpointCheck.of(scope) == null
            && !DataflowScheduler.isFor(scope);
  }

  /// A superstep begins.
  void open(Superstep step) {
    lone = step.isLone() ? step.tasks().getFirst() : null;
    isLast = lone != null && isOnlyWriter();
    writer.open(step);
  }

  /// Whether the end of a task is saved, and told, with the checkpoint of its superstep. None
  /// follows a hand-off.
  @SuppressWarnings("ReferenceEquality") // a task is itself
  boolean isDeferred(Task task, TaskResult end) {
    return task == lone && end.isFollowed();
  }

  /// Saves the end of a task and publishes the batch.
  @SuppressWarnings("ReferenceEquality") // a task is itself
  void task(Snapshot at, Task task, TaskResult end, EventBatch batch) {
    writer.task(at, task, end, batch, isLast && task == lone);
  }

  /// Saves what was to be saved with a checkpoint that cannot be made: it must not run again.
  void abandon(Superstep step, List<TaskResult.Finished> results) {
    if (!step.isLone()) return;
    var batch = new EventBatch(scope.announcer());
    writer.task(step.at(), step.tasks().getFirst(), results.getFirst(), batch, false);
  }

  /// Saves a checkpoint and publishes the batch.
  void checkpoint(
      Snapshot from, Kernel.Applied applied, Checkpoint.Source source, EventBatch batch) {
    over = isOnlyWriter() && scope.graph().kernel().isEnd(applied.next());
    writer.checkpoint(scope, new RunWriter.Made(from, applied, source), batch, over);
  }

  /// Whether all is saved, so that others may hold the thread by now.
  boolean isOver() {
    return over;
  }

  /// Who is to be stopped is still to tell where.
  private boolean isOnlyWriter() {
    return isSole
        && scope.announcer().chronicle() == null
        && !Thread.currentThread().isInterrupted();
  }
}
