package dev.superstep.graph.internal.execution;

import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.checkpoint.StepRecord;
import dev.superstep.graph.internal.kernel.Kernel;
import dev.superstep.graph.internal.kernel.Snapshot;
import dev.superstep.graph.internal.kernel.Superstep;
import dev.superstep.graph.internal.kernel.Task;
import dev.superstep.graph.internal.kernel.TaskResult;
import dev.superstep.graph.internal.persistence.RunWriter;
import dev.superstep.graph.internal.publish.EventBatch;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Ends the supersteps of one loop in as few writes as can be: each task is saved when it ends, but
/// one that is alone with the checkpoint; and the last write of the run is made as such, so that it
/// gives the lease back. For the run's own thread, but for [#isDeferred] and [#task].
public final class SuperstepWriter {
  private final RunScope scope;
  private final RunWriter writer;
  // Whether nothing but the thread's own loop writes, so that it knows the last write.
  private final boolean isSole;

  private @Nullable Task lone;
  private boolean isLast;
  private boolean over;

  /// @param isPlain whether nothing but tasks and checkpoints of the loop is saved with it
  public SuperstepWriter(RunScope scope, RunWriter writer, boolean isPlain) {
    this.scope = scope;
    this.writer = writer;
    this.isSole = isPlain && writer.isPersistent() && scope.enclosing() == null;
  }

  /// A superstep begins.
  public void open(Superstep step) {
    lone = step.isLone() ? step.tasks().getFirst() : null;
    isLast = lone != null && isOnlyWriter();
    writer.open(step);
  }

  /// Returns whether the end of a task is saved and published with the checkpoint of its superstep.
  /// After a hand-off there is none.
  @SuppressWarnings("ReferenceEquality") // a task is itself
  public boolean isDeferred(Task task, TaskResult end) {
    return task == lone && end.isFollowed();
  }

  /// Saves the end of a task and publishes the batch.
  @SuppressWarnings("ReferenceEquality") // a task is itself
  void task(Snapshot at, Task task, TaskResult end, EventBatch batch) {
    task.saveSteps();
    writer.task(at, task, end, batch, isLast && task == lone);
  }

  /// Saves what was to be saved with a checkpoint that cannot be made: it must not run again.
  public void abandon(Superstep step, List<TaskResult.Finished> results) {
    if (!step.isLone()) return;
    var batch = new EventBatch(scope.publisher());
    step.tasks().getFirst().saveSteps();
    writer.task(step.at(), step.tasks().getFirst(), results.getFirst(), batch, false);
  }

  /// Saves a checkpoint and publishes the batch.
  public void checkpoint(
      Snapshot from, Kernel.Applied applied, Checkpoint.Source source, EventBatch batch) {
    var steps = lone == null ? List.<StepRecord>of() : lone.takeSteps();
    over = isOnlyWriter() && scope.graph().kernel().isEnd(applied.next());
    var made = new RunWriter.NewCheckpoint(from, applied, source, steps);
    writer.checkpoint(scope.identity(), made, batch, over);
  }

  /// Returns whether everything is saved, so that another run may own the thread by now.
  public boolean isOver() {
    return over;
  }

  /// Who is to be stopped is still to tell where.
  private boolean isOnlyWriter() {
    return isSole && scope.publisher().journal() == null && !Thread.currentThread().isInterrupted();
  }
}
