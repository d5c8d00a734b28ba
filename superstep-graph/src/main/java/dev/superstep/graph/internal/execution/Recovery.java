package dev.superstep.graph.internal.execution;

import dev.superstep.error.NodeFailed;
import dev.superstep.event.Event;
import dev.superstep.graph.internal.kernel.Next;
import dev.superstep.graph.internal.kernel.PolicySettings;
import dev.superstep.graph.internal.kernel.Task;
import dev.superstep.graph.internal.kernel.TaskResult;
import dev.superstep.graph.internal.kernel.WriteCompletion;
import dev.superstep.json.SuperstepException;
import dev.superstep.node.Failure;
import dev.superstep.node.OnFailure;
import dev.superstep.node.Send;
import dev.superstep.state.Write;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Handles the failures of a task by the policy of its node. For the thread of the task.
final class Recovery {
  private final RunScope scope;
  private final Task task;
  private final int step;
  private final PolicySettings policy;
  private @Nullable Retrying retrying;

  Recovery(RunScope scope, Task task, int step, PolicySettings policy) {
    this.scope = scope;
    this.task = task;
    this.step = step;
    this.policy = policy;
  }

  /// Waits until the node is to be tried again.
  ///
  /// @return null if it is, else how the task has ended
  @Nullable TaskResult beforeNext(TaskResult.Failed failed) {
    var retry = policy.retry();
    if (retry == null) return failed;
    var known = retrying;
    if (known == null) retrying = known = new Retrying(scope, task, step, retry, "");
    var last = known.beforeNext(failed.error(), task.attempts());
    if (last != null) return new TaskResult.Failed(last);
    task.attempts(task.attempts() + 1);
    return null;
  }

  /// Returns the result that the policy gives to a task that is not tried again.
  TaskResult settle(TaskResult.Failed failed) {
    if (Retrying.isStopped(scope, failed.error())) return failed;
    return switch (policy.onFailure()) {
      case OnFailure.Abort _ -> failed;
      case OnFailure.Handled handled -> {
        var what = failure(failed.error());
        var settled = settled(handled, what);
        yield settled.with(WriteCompletion.of(settled.writes(), WriteCompletion.idsOf(task)));
      }
    };
  }

  private static TaskResult.Finished settled(OnFailure.Handled handled, Failure what) {
    var writes = new ArrayList<Write>();
    handled.record().ifPresent(channel -> writes.add(new Write.Put<>(channel, what)));
    return switch (handled) {
      case OnFailure.Skip _ -> TaskResult.Finished.writing(writes);
      case OnFailure.Fallback(var update, _) -> {
        writes.addAll(update.writes());
        yield TaskResult.Finished.writing(writes);
      }
      case OnFailure.Route(var handler, _) ->
          new TaskResult.Finished(
              writes, new Next.Goto(List.of(), List.of(Send.to(handler, what))));
    };
  }

  /// Returns the name of that handling in events.
  Event.NodeFailed.Then then() {
    return switch (policy.onFailure()) {
      case OnFailure.Abort _ -> Event.NodeFailed.Then.ABORT;
      case OnFailure.Skip _ -> Event.NodeFailed.Then.SKIP;
      case OnFailure.Fallback _ -> Event.NodeFailed.Then.FALLBACK;
      case OnFailure.Route _ -> Event.NodeFailed.Then.ROUTE;
    };
  }

  private Failure failure(Throwable error) {
    var code = error instanceof SuperstepException e ? e.code() : error.getClass().getName();
    return new Failure(
        task.node(),
        task.id(),
        code,
        NodeFailed.why(error),
        task.attempts(),
        task.due().stored().argument());
  }
}
