package dev.superstep.graph.internal.execution;

import dev.superstep.error.NodeFailed;
import dev.superstep.event.Event;
import dev.superstep.graph.internal.kernel.Halt.DeadlineReached;
import dev.superstep.graph.internal.kernel.Task;
import dev.superstep.node.Retry;
import dev.superstep.node.RetryHint;
import java.nio.channels.ClosedByInterruptException;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/// Waits between the attempts at a node or at one of its steps, and counts the failures by the rule
/// that applied to each. For the thread that tries.
final class Retrying {
  private static final int CAUSES_MAX = 16;

  private final RunScope scope;
  private final Task task;
  private final int step;
  private final List<Retry> rules;
  private final int[] failures;
  private final String point;

  /// @param point the path of the step, or empty for the node itself
  Retrying(RunScope scope, Task task, int step, Retry retry, String point) {
    this.scope = scope;
    this.task = task;
    this.step = step;
    this.rules = retry.rules();
    this.failures = new int[rules.size()];
    this.point = point;
  }

  /// Waits until there is to be another attempt.
  ///
  /// @param attempt the number of the attempt that failed, from 1
  /// @return null if there is to be one, else the failure to report
  @Nullable Throwable beforeNext(Throwable error, int attempt) {
    if (isStopped(scope, error)) return error;
    int rule;
    try {
      rule = rule(error);
    } catch (RuntimeException e) {
      e.addSuppressed(error);
      return e;
    }
    if (rule < 0 || ++failures[rule] >= rules.get(rule).attempts()) return error;
    var pause = pause(error, rule, attempt);
    if (pause == null) return error;
    if (RunLimits.nanos(pause) >= scope.limits().nanosLeft()) return new DeadlineReached();
    return scope.limits().tryAcquireRetry() ? sleep(pause, error, rule, attempt + 1) : error;
  }

  /// Returns the place of the first rule that an exception meets, or -1 if it meets none.
  private int rule(Throwable error) {
    for (int i = 0; i < rules.size(); i++) if (rules.get(i).when().test(error)) return i;
    return -1;
  }

  /// Waits until there is to be another attempt, or throws the failure to report.
  void orThrow(Throwable error, int attempt) throws Exception {
    var last = beforeNext(error, attempt);
    if (last instanceof Error e) throw e;
    if (last instanceof Exception e) throw e;
  }

  private @Nullable Throwable sleep(Duration pause, Throwable error, int rule, int next) {
    var why = NodeFailed.why(error);
    int most = rules.get(rule).attempts();
    scope
        .publisher()
        .publish(
            step,
            o ->
                new Event.NodeRetried(
                    o, task.node(), task.id(), point, next, most, pause, why, rule));
    try {
      scope.options().sleeper().sleep(pause);
      return null;
    } catch (InterruptedException e) {
      e.addSuppressed(error);
      return e;
    }
  }

  /// Returns the wait before the next attempt, or null if the refusing side asks for a longer one
  /// than is allowed.
  private @Nullable Duration pause(Throwable error, int rule, int attempt) {
    var retry = rules.get(rule);
    // The task's own random numbers belong to its node.
    var random = new SplittableRandom((task.id() + point).hashCode() * 31L + attempt);
    var drawn = retry.pause(failures[rule], random.nextDouble());
    var asked = Retry.hint(error).flatMap(RetryHint::retryAfter).orElse(Duration.ZERO);
    if (asked.compareTo(retry.cap()) > 0) return null;
    return asked.compareTo(drawn) > 0 ? asked : drawn;
  }

  /// Returns whether a task did not fail but was stopped with its run, whatever its node made of
  /// the interruption.
  static boolean isStopped(RunScope scope, Throwable error) {
    if (error instanceof DeadlineReached || Thread.currentThread().isInterrupted()) return true;
    if (scope.limits().isCancelled()) return true;
    var at = error;
    for (int depth = 0; at != null && depth < CAUSES_MAX; depth++, at = at.getCause()) {
      if (at instanceof InterruptedException || at instanceof ClosedByInterruptException) {
        return true;
      }
    }
    return false;
  }
}
