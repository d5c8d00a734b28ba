package dev.superstep.graph.internal.run;

import dev.superstep.error.StepLimitReached;
import dev.superstep.graph.internal.execution.RunScope;
import dev.superstep.graph.internal.kernel.Halt;
import dev.superstep.graph.internal.kernel.Superstep;
import org.jspecify.annotations.Nullable;

/// The limits of a run as they hold for one graph of it: for the outermost, or for one inside a
/// task.
///
/// @param breakpoints null if there are none
record GraphLimits(RunScope scope, @Nullable BreakpointCheck breakpoints, boolean isPersistent)
    implements Halt.Limits {
  static GraphLimits of(RunScope scope, boolean isKept) {
    return new GraphLimits(scope, BreakpointCheck.of(scope), isKept);
  }

  @Override
  public boolean isBreakpoint(Superstep step) {
    return breakpoints != null && breakpoints.stops(step);
  }

  @Override
  public boolean isPastDeadline() {
    return scope.limits().isPastDeadline();
  }

  @Override
  public boolean isInside() {
    return scope.enclosing() != null;
  }

  /// Returns whether the graph is to stop for a drain. A graph that is not saved cannot be resumed,
  /// so only the stream of its run can drain it.
  @Override
  public boolean isDraining() {
    var limits = scope.limits();
    return isPersistent ? limits.isDraining() : !isInside() && limits.isStreamDraining();
  }

  @Override
  public boolean isSpent() {
    return scope.limits().isSpent();
  }

  @Override
  public @Nullable RuntimeException count(Superstep step) {
    var graph = scope.graph();
    if (step.at().step() >= scope.limit()) {
      int limit = scope.options().stepLimit(graph.stepLimit(), isInside());
      return StepLimitReached.ofOne(graph.name(), scope.run(), limit, step.due());
    }
    if (scope.limits().tryAcquireStep()) return null;
    int limit = scope.limits().totalSteps();
    return StepLimitReached.ofAll(graph.name(), scope.run(), limit, step.due());
  }
}
