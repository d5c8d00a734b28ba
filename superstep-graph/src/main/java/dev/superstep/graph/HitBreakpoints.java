package dev.superstep.graph;

import java.util.ArrayList;
import java.util.List;

/// The places where a run and the graphs inside it have stopped, to pause or because the run
/// drains. Safe for many threads.
final class HitBreakpoints {
  private final List<Place> places = new ArrayList<>();
  private final List<Place> drained = new ArrayList<>();

  private record Place(CheckpointWriter saving, Snapshot at) {}

  synchronized void add(CheckpointWriter saving, Snapshot at) {
    places.add(new Place(saving, at));
  }

  synchronized void drained(CheckpointWriter saving, Snapshot at) {
    drained.add(new Place(saving, at));
  }

  /// Marks all pauses as passed, so that the run goes on there when it is resumed.
  synchronized void mark() {
    for (var place : places) place.saving().paused(place.at());
  }

  /// Marks all places where the run was drained, so that its thread can tell what holds it.
  synchronized void markDrained(String run) {
    for (var place : drained) StopMarkers.drained(place.saving(), place.at(), run);
  }
}
