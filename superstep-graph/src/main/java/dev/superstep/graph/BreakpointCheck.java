package dev.superstep.graph;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Stops a run of one graph where it is to pause. For the thread that owns the run's loop.
///
/// A place is a checkpoint. That the run stopped there is marked in the store when the stop is told
/// to the caller, and not before: a place without a mark stops whoever comes there, so that no
/// pause is lost with a process, or with a sibling that failed.
final class BreakpointCheck {
  private final Breakpoints pauses;
  private final CheckpointWriter saving;
  private final HitBreakpoints book;

  private BreakpointCheck(Breakpoints pauses, CheckpointWriter saving, HitBreakpoints book) {
    this.pauses = pauses;
    this.saving = saving;
    this.book = book;
  }

  /// Null if the graph is to pause nowhere in this run.
  static @Nullable BreakpointCheck of(RunScope scope, @Nullable CheckpointWriter saving) {
    var own = scope.graph().breakpoints();
    // What the caller named are nodes of the outermost graph.
    var pauses = scope.enclosing() == null ? own.and(scope.options().breakpoints()) : own;
    if (pauses.isEmpty()) return null;
    return new BreakpointCheck(pauses, Objects.requireNonNull(saving), scope.paused());
  }

  /// Refuses pauses that cannot be, before anything runs.
  static void check(CompiledGraph graph, RunSettings options, boolean isKept) {
    for (var node : options.breakpoints().nodes()) {
      if (graph.wiring().node(node) == null) {
        throw new UnknownBreakpoint(graph.name(), node, graph.wiring().suggestion(node));
      }
    }
    if (isKept || (options.breakpoints().isEmpty() && !graph.pausesSomewhere())) return;
    throw new BreakpointNeedsCheckpointer(graph.name());
  }

  /// Whether the run stops before these tasks. If it does, the place is noted.
  boolean stops(Snapshot at, List<Task> tasks, RunLoop.Before before) {
    if (before.steps().containsKey(StopMarkers.PAUSED) || !isPlace(at, tasks, before)) return false;
    book.add(saving, at);
    return true;
  }

  private boolean isPlace(Snapshot at, List<Task> tasks, RunLoop.Before before) {
    var ran = at.position().marks().ran();
    // Once some of the tasks have begun, it is too late to stop after what ran before them.
    if (before.tasks().isEmpty()) {
      if (ran.stream().anyMatch(pauses::isAfter)) return true;
      boolean more = !tasks.isEmpty() && !before.isWaitingForAll(tasks);
      if (pauses.isEveryStep() && !ran.isEmpty() && more) return true;
    }
    for (var task : tasks) {
      boolean begins = !before.tasks().containsKey(task.id()) && !task.isWaiting(before.answers());
      if (begins && !task.isSkipped() && pauses.isBefore(task.node())) return true;
    }
    return false;
  }
}
