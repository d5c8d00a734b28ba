package dev.superstep.graph;

import dev.superstep.json.Json;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Remembers with a checkpoint that a run stopped there and that a later one went on, so that a
/// thread can tell what holds it. Kept among the steps of tasks; no task has such an id.
final class StopMarkers {
  private static final String DRAINED = "drained";
  private static final String WENT_ON = "went-on";

  private StopMarkers() {}

  /// A run has paused here.
  static void paused(RunWriter writer, Snapshot at) {
    writer.mark(at, BreakpointCheck.MARK, BreakpointCheck.MARK);
  }

  /// A run was drained here.
  static void drained(RunWriter writer, Snapshot at, String run) {
    writer.mark(at, DRAINED, run);
  }

  /// A run goes on from here.
  ///
  /// @param steps what is kept with the checkpoint
  static void wentOn(RunWriter writer, Snapshot at, Map<String, Map<String, Json>> steps) {
    for (var stop : open(steps).keySet()) writer.mark(at, WENT_ON, stop);
  }

  /// What holds a thread here until it is resumed; null if nothing does.
  static ThreadState.@Nullable By by(Map<String, Map<String, Json>> steps) {
    for (var by : open(steps).values()) return by;
    return null;
  }

  /// The stops after which nobody went on.
  private static Map<String, ThreadState.By> open(Map<String, Map<String, Json>> steps) {
    if (steps.isEmpty()) return Map.of();
    var open = new LinkedHashMap<String, ThreadState.By>();
    if (steps.containsKey(BreakpointCheck.MARK))
      open.put(BreakpointCheck.MARK, ThreadState.By.PAUSE);
    for (var run : steps.getOrDefault(DRAINED, Map.of()).keySet()) {
      open.put(run, ThreadState.By.DRAIN);
    }
    open.keySet().removeAll(steps.getOrDefault(WENT_ON, Map.of()).keySet());
    return open;
  }
}
