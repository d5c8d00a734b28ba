package dev.superstep.graph;

import dev.superstep.event.Event;
import dev.superstep.json.SuperstepException;
import dev.superstep.state.Write;
import java.nio.channels.ClosedByInterruptException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/// What is done about the failures of one task, as the policy of its node says. For the thread of
/// the task.
final class Recovery {
  private static final int CAUSES_MAX = 16;

  private final RunScope scope;
  private final Task task;
  private final int step;
  private final NodePolicy policy;

  Recovery(RunScope scope, Task task, int step, NodePolicy policy) {
    this.scope = scope;
    this.task = task;
    this.step = step;
    this.policy = policy;
  }

  /// Waits until the node is to be tried again.
  ///
  /// @return null if it is, else how the task has ended
  @Nullable Ended beforeNext(Ended.Failed failed) {
    var error = failed.error();
    var retry = policy.retry();
    if (retry == null || isStopped(error) || task.attempts() >= retry.attempts()) return failed;
    try {
      if (!retry.when().test(error)) return failed;
    } catch (RuntimeException e) {
      e.addSuppressed(error);
      return new Ended.Failed(e);
    }
    var pause = pause(retry, error);
    if (pause == null) return failed;
    if (Allowance.nanos(pause) >= scope.allowance().nanosLeft()) {
      return new Ended.Failed(new OutOfTime());
    }
    return scope.allowance().takeRetry() ? sleep(pause, error) : failed;
  }

  private @Nullable Ended sleep(Duration pause, Throwable error) {
    int next = task.attempts() + 1;
    var why = NodeFailed.why(error);
    scope
        .announcer()
        .say(step, o -> new Event.NodeRetried(o, task.node(), task.id(), next, pause, why));
    try {
      scope.options().sleeper().sleep(pause);
    } catch (InterruptedException e) {
      e.addSuppressed(error);
      return new Ended.Failed(e);
    }
    task.attempts(next);
    return null;
  }

  /// How long to wait, or null if whoever refused asks for more than may be waited.
  private @Nullable Duration pause(Retry retry, Throwable error) {
    // The task's own random numbers belong to its node.
    var random = new SplittableRandom(task.id().hashCode() * 31L + task.attempts());
    var drawn = retry.pause(task.attempts(), random.nextDouble());
    var asked = Retry.hint(error).flatMap(RetryHint::retryAfter).orElse(Duration.ZERO);
    if (asked.compareTo(retry.cap()) > 0) return null;
    return asked.compareTo(drawn) > 0 ? asked : drawn;
  }

  /// What the policy makes of a task that is not tried again.
  Ended settle(Ended.Failed failed) {
    if (isStopped(failed.error())) return failed;
    return switch (policy.onFailure()) {
      case OnFailure.Abort _ -> failed;
      case OnFailure.Handled handled -> {
        var what = failure(failed.error());
        var settled = settled(handled, what);
        yield new Ended.Finished(
            Completion.of(settled.writes(), scope.options().ids()),
            settled.gotos(),
            settled.sends());
      }
    };
  }

  private static Ended.Finished settled(OnFailure.Handled handled, Failure what) {
    var writes = new ArrayList<Write>();
    handled.record().ifPresent(channel -> writes.add(new Write.Put<>(channel, what)));
    return switch (handled) {
      case OnFailure.Skip _ -> new Ended.Finished(writes, null, List.of());
      case OnFailure.Fallback(var update, _) -> {
        writes.addAll(update.writes());
        yield new Ended.Finished(writes, null, List.of());
      }
      case OnFailure.Route(var handler, _) ->
          new Ended.Finished(writes, List.of(), List.of(Send.to(handler, what)));
    };
  }

  /// What to call that in an event.
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
        Stored.scheduled(task.due()).argument());
  }

  /// Whether the task did not fail but was stopped with its run, however its node put that.
  private boolean isStopped(Throwable error) {
    if (error instanceof OutOfTime || Thread.currentThread().isInterrupted()) return true;
    if (scope.allowance().isCancelled()) return true;
    var at = error;
    for (int depth = 0; at != null && depth < CAUSES_MAX; depth++, at = at.getCause()) {
      if (at instanceof InterruptedException || at instanceof ClosedByInterruptException) {
        return true;
      }
    }
    return false;
  }
}
