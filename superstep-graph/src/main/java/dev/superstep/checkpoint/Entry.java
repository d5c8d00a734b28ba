package dev.superstep.checkpoint;

import dev.superstep.json.Json;
import java.time.Instant;
import java.util.List;

/// A fact in the journal of a thread. Immutable.
///
/// @param offset its place in the thread's journal, from 1 without gaps; 0 before it is saved
/// @param run the run that published it
/// @param graph the graph in which it happened
/// @param path the nodes that lead to that graph, outermost first
/// @param node the node it is about, or empty
/// @param kind the name of the event, such as `node.finished`
/// @param event the event as one JSON object
public record Entry(
    long offset,
    Instant at,
    String run,
    String graph,
    List<String> path,
    String node,
    String kind,
    Json event) {
  public Entry {
    path = List.copyOf(path);
  }

  /// Returns a copy at another offset.
  public Entry at(long place) {
    return new Entry(place, at, run, graph, path, node, kind, event);
  }

  /// Names the entry permanently.
  public String id() {
    return run + "-evt-" + offset;
  }
}
