package dev.superstep.graph;

import java.util.ArrayList;
import java.util.List;

/// The places where a run and the graphs inside it have stopped to pause. Safe for many threads.
final class PauseBook {
  private final List<Place> places = new ArrayList<>();

  private record Place(Saving saving, Snapshot at) {}

  synchronized void add(Saving saving, Snapshot at) {
    places.add(new Place(saving, at));
  }

  /// Marks all places as passed, so that the run goes on there when it is resumed.
  synchronized void mark() {
    for (var place : places) place.saving().paused(place.at());
  }
}
