package dev.superstep.graph.internal.run;

import dev.superstep.error.InvalidUse;
import dev.superstep.graph.internal.execution.RunScope;
import dev.superstep.graph.internal.kernel.CompiledGraph;
import dev.superstep.graph.internal.kernel.RunSettings;
import dev.superstep.graph.internal.kernel.Superstep;
import dev.superstep.graph.internal.persistence.StopMarkers;
import dev.superstep.run.Breakpoints;
import org.jspecify.annotations.Nullable;

/// Finds the breakpoints of one graph in a run. For the thread that owns the run's loop.
///
/// A place is a checkpoint. The store gets a mark that the run stopped there when the caller learns
/// of the stop, and not before: a place without a mark stops the next run that comes there, so that
/// no breakpoint is lost with a process, or with a sibling that failed.
final class BreakpointCheck {
  private final Breakpoints breakpoints;

  private BreakpointCheck(Breakpoints breakpoints) {
    this.breakpoints = breakpoints;
  }

  /// Null if the graph is to pause nowhere in this run.
  static @Nullable BreakpointCheck of(RunScope scope) {
    var own = scope.graph().breakpoints();
    // The options of a run name nodes of the outermost graph.
    var breakpoints = scope.enclosing() == null ? own.and(scope.options().breakpoints()) : own;
    return breakpoints.isEmpty() ? null : new BreakpointCheck(breakpoints);
  }

  /// Refuses pauses that cannot be, before anything runs.
  static void check(CompiledGraph graph, RunSettings options, boolean isKept) {
    for (var node : options.breakpoints().nodes()) {
      if (graph.executionGraph().node(node) == null) {
        throw InvalidUse.unknownBreakpoint(
            graph.name(), node, graph.executionGraph().suggestion(node));
      }
    }
    if (isKept || (options.breakpoints().isEmpty() && !graph.pausesSomewhere())) return;
    throw InvalidUse.breakpointNeedsCheckpointer(graph.name());
  }

  /// Returns whether the run stops before these tasks.
  boolean stops(Superstep step) {
    return !step.known().steps().containsKey(StopMarkers.PAUSED) && isPlace(step);
  }

  private boolean isPlace(Superstep step) {
    var tasks = step.tasks();
    var known = step.known();
    var ran = step.at().position().marks().ran();
    // Once some of the tasks have begun, it is too late to stop after what ran before them.
    if (known.tasks().isEmpty()) {
      if (ran.stream().anyMatch(breakpoints::isAfter)) return true;
      boolean more = !tasks.isEmpty() && !step.isWaiting();
      if (breakpoints.isEveryStep() && !ran.isEmpty() && more) return true;
    }
    for (var task : tasks) {
      boolean begins = !known.tasks().containsKey(task.id()) && !task.isWaiting(known.answers());
      if (begins && !task.isSkipped() && breakpoints.isBefore(task.node())) return true;
    }
    return false;
  }
}
