package dev.superstep.journal;

import dev.superstep.event.Event;
import dev.superstep.event.Latency;
import dev.superstep.event.Origin;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/// The durations of a thread's runs and nodes, by the times in its journal. Only finished tasks are
/// counted, not those that failed, asked or died with their process. Immutable.
///
/// @param runs however they ended
/// @param nodes by graph and name
/// @param began when the run at work began
/// @param tasks what is at work, and since when
public record Timing(
    Latency runs, List<NodeTime> nodes, Optional<Instant> began, TasksAtWork tasks) {
  static final Timing NONE =
      new Timing(Latency.none(), List.of(), Optional.empty(), TasksAtWork.NONE);

  /// The durations of a node's tasks.
  public record NodeTime(String graph, String node, Latency took) {}

  public Timing {
    nodes = List.copyOf(nodes);
  }

  Timing after(Event event) {
    var at = event.origin();
    var left = tasks.after(event);
    return switch (event) {
      case Event.RunStarted _ -> new Timing(runs, nodes, Optional.of(at.at()), left);
      case Event.RunCompleted _, Event.RunInterrupted _, Event.RunStopped _, Event.RunFailed _ ->
          ended(at, left);
      case Event.NodeFinished e ->
          new Timing(runs, tasks.since(e).map(since -> with(e, since)).orElse(nodes), began, left);
      case Event _ -> left.equals(tasks) ? this : new Timing(runs, nodes, began, left);
    };
  }

  private Timing ended(Origin at, TasksAtWork left) {
    var all = began.map(since -> runs.plus(Duration.between(since, at.at()))).orElse(runs);
    return new Timing(all, nodes, Optional.empty(), left);
  }

  private List<NodeTime> with(Event.NodeFinished event, Instant since) {
    var at = event.origin();
    var sorted = new TreeMap<List<String>, NodeTime>(TasksAtWork.BY_NAME);
    for (var node : nodes) sorted.put(List.of(node.graph(), node.node()), node);
    sorted.compute(
        List.of(at.graph(), event.node()),
        (_, known) -> {
          var before = known == null ? Latency.none() : known.took();
          var took = before.plus(Duration.between(since, at.at()));
          return new NodeTime(at.graph(), event.node(), took);
        });
    return List.copyOf(sorted.values());
  }
}
