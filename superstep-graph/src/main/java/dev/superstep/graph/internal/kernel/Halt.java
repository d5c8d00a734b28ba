package dev.superstep.graph.internal.kernel;

import dev.superstep.checkpoint.Memories;
import dev.superstep.run.Outcome;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The decision that the run of a graph halts: nothing is left to do, it waits, or it failed. Made
/// before a superstep begins and after its tasks have ended, of nothing but what is given.
public sealed interface Halt {
  /// Nothing is due.
  record Done() implements Halt {}

  /// A task handed off, so that the graph ends before its time.
  ///
  /// @param result of the task around
  /// @param memories of subgraphs
  record Left(TaskResult result, Memories memories) implements Halt {}

  /// The run waits, and can be resumed from here.
  record Waiting(Wait on) implements Halt {}

  /// The run cannot continue.
  record Failed(RuntimeException error) implements Halt {}

  /// Ends a task because the deadline of its run has come. The task runs again when the thread is
  /// resumed, so no policy of its node applies.
  final class DeadlineReached extends Exception {
    public DeadlineReached() {
      super("the deadline of the run has come", null, false, false);
    }
  }

  /// The limits of a run, as they apply to one of its graphs.
  interface Limits {
    /// Returns whether the run stops at a breakpoint before these tasks.
    boolean isBreakpoint(Superstep step);

    /// Returns whether the deadline of the run has passed.
    boolean isPastDeadline();

    /// Returns whether the graph runs inside a task, whose interruption ends it at the deadline.
    boolean isInside();

    /// Returns whether the graph is to end where it can be resumed.
    boolean isDraining();

    /// Returns whether the run has begun as many tasks as it may.
    boolean isSpent();

    /// Counts the superstep.
    ///
    /// @return the failure if there may be no such superstep, else null
    @Nullable RuntimeException count(Superstep step);
  }

  /// Decides whether to halt before a superstep.
  ///
  /// @return null if the superstep may begin
  static @Nullable Halt before(Superstep step, Kernel kernel, Limits limits) {
    if (limits.isBreakpoint(step)) return stopped(Outcome.Reason.PAUSED);
    if (step.tasks().isEmpty()) {
      var deadlock = kernel.deadlock(step.at());
      return deadlock == null ? new Done() : new Failed(deadlock);
    }
    if (step.isWaiting()) return new Waiting(new Wait.ForAnswers(step.questions()));
    if (limits.isPastDeadline() && !limits.isInside()) return stopped(Outcome.Reason.DEADLINE);
    if (limits.isDraining()) return stopped(Outcome.Reason.DRAINED);
    if (limits.isSpent()) return stopped(Outcome.Reason.TASK_LIMIT);
    var exceeded = limits.count(step);
    return exceeded == null ? null : new Failed(exceeded);
  }

  private static Halt stopped(Outcome.Reason why) {
    return new Waiting(Wait.stopped(why));
  }

  /// Decides whether to halt after the tasks of a superstep, with no checkpoint that follows it.
  ///
  /// @param ends in task order
  /// @return null if all tasks finished
  static @Nullable Halt after(Superstep step, List<TaskResult> ends, Kernel kernel, Limits limits) {
    if (ends.size() == 1 && ends.getFirst().isFollowed()) return null;
    if (isPastDeadline(ends, limits)) return stopped(Outcome.Reason.DEADLINE);
    var failure = kernel.failure(step, ends);
    if (failure != null) return new Failed(failure);
    var wait = Wait.of(ends);
    if (wait != null) return new Waiting(wait);
    return TaskResult.isLeaving(ends) ? kernel.left(step, ends) : null;
  }

  /// Returns whether the deadline of the run ended some task, and nothing worse happened.
  private static boolean isPastDeadline(List<TaskResult> ends, Limits limits) {
    boolean late = false;
    for (var end : ends) {
      if (!(end instanceof TaskResult.Failed(var error))) continue;
      // A graph inside that is ended by it leaves its node as interrupted.
      late =
          error instanceof DeadlineReached
              || (error instanceof InterruptedException && limits.isPastDeadline());
      if (!late) return false;
    }
    return late;
  }
}
