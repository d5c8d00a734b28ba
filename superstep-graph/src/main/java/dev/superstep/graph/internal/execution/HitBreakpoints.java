package dev.superstep.graph.internal.execution;

import dev.superstep.graph.internal.kernel.Snapshot;
import dev.superstep.graph.internal.persistence.RunWriter;
import dev.superstep.graph.internal.persistence.StopMarkers;
import dev.superstep.run.Outcome;
import java.util.ArrayList;
import java.util.List;

/// The places where a run and its subgraphs have stopped before a superstep: at breakpoints, or
/// because the run drains. Safe for many threads.
public final class HitBreakpoints {
  private final List<Place> places = new ArrayList<>();

  private record Place(Outcome.Reason why, RunWriter writer, Snapshot at) {}

  public synchronized void add(Outcome.Reason why, RunWriter writer, Snapshot at) {
    places.add(new Place(why, writer, at));
  }

  /// Marks the places, so that the state of the thread shows why it stands there: where the run was
  /// drained, and breakpoints if the outcome reports that they were hit, so that the run continues
  /// from there when it is resumed.
  public synchronized void mark(Outcome.Reason told, String run) {
    for (var place : places) {
      switch (place.why()) {
        case PAUSED -> {
          if (told == Outcome.Reason.PAUSED) StopMarkers.paused(place.writer(), place.at());
        }
        case DRAINED -> StopMarkers.drained(place.writer(), place.at(), run);
        case CANCELLED, DEADLINE, TASK_LIMIT -> {}
      }
    }
  }
}
