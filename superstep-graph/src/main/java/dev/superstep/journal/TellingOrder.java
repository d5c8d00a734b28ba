package dev.superstep.journal;

import dev.superstep.journal.JournalDiff.PlainEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Sorts the events of concurrent tasks into an order that does not depend on their speed: task by
/// task, and within a task in the order of publishing.
final class TellingOrder {
  private TellingOrder() {}

  static List<PlainEvent> of(List<PlainEvent> told) {
    return of(told, 0);
  }

  /// @param depth how many nodes lead to the graph whose tasks are put into order
  private static List<PlainEvent> of(List<PlainEvent> told, int depth) {
    var ordered = new ArrayList<PlainEvent>();
    var lanes = new TreeMap<String, List<PlainEvent>>();
    for (var event : told) {
      if (isOfGraph(event, depth)) {
        end(lanes, depth, ordered);
        ordered.add(event);
      } else {
        lanes.computeIfAbsent(lane(event, depth), _ -> new ArrayList<>()).add(event);
      }
    }
    end(lanes, depth, ordered);
    return ordered;
  }

  private static void end(
      Map<String, List<PlainEvent>> lanes, int depth, List<PlainEvent> ordered) {
    for (var lane : lanes.values()) {
      boolean isInside = lane.getFirst().entry().path().size() > depth;
      ordered.addAll(isInside ? of(lane, depth + 1) : lane);
    }
    lanes.clear();
  }

  /// Returns whether the event is about the graph as a whole, so that everything else is before or
  /// after it.
  private static boolean isOfGraph(PlainEvent event, int depth) {
    var kind = event.entry().kind();
    if (event.entry().path().size() != depth) return false;
    if (kind.startsWith("subgraph.")) return true;
    return !kind.startsWith("node.")
        && event.part("task").isEmpty()
        && event.part("interrupt.task").isEmpty()
        && event.part("interrupt").isEmpty();
  }

  private static String lane(PlainEvent event, int depth) {
    var path = event.entry().path();
    if (path.size() > depth) return "inside " + path.get(depth);
    return "task " + event.part("task") + event.part("interrupt.task") + event.part("interrupt");
  }
}
