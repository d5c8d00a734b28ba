package dev.superstep.graph.internal.persistence;

import dev.superstep.graph.internal.kernel.Snapshot;
import dev.superstep.json.Json;
import dev.superstep.run.ThreadState;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Records with a checkpoint that a run stopped there and that a later one continued, so that the
/// state of a thread can show why it stands. Stored among the steps of tasks; no task has such an
/// id.
public final class StopMarkers {
  /// The id under which the mark of a breakpoint is stored among the steps of tasks; no task has
  /// such an id.
  public static final String PAUSED = "pause";

  private static final String DRAINED = "drained";
  private static final String WENT_ON = "went-on";

  private StopMarkers() {}

  /// Returns whether steps stored under this id mark a breakpoint, or that a run went on from it.
  static boolean isBreakpoint(String id) {
    return id.equals(PAUSED) || id.equals(WENT_ON);
  }

  /// A run has paused here.
  public static void paused(RunWriter writer, Snapshot at) {
    writer.mark(at, PAUSED, PAUSED);
  }

  /// A run was drained here.
  public static void drained(RunWriter writer, Snapshot at, String run) {
    writer.mark(at, DRAINED, run);
  }

  /// Marks that a run continues from here.
  ///
  /// @param steps the steps stored with the checkpoint
  public static void resumed(RunWriter writer, Snapshot at, Map<String, Map<String, Json>> steps) {
    if (steps.isEmpty()) return;
    for (var stop : open(steps).keySet()) writer.mark(at, WENT_ON, stop);
  }

  /// Returns the reason why a thread stands here until it is resumed; null if there is none.
  public static ThreadState.@Nullable BlockReason by(Map<String, Map<String, Json>> steps) {
    for (var by : open(steps).values()) return by;
    return null;
  }

  /// Returns the stops after which no run continued.
  private static Map<String, ThreadState.BlockReason> open(Map<String, Map<String, Json>> steps) {
    if (steps.isEmpty()) return Map.of();
    var open = new LinkedHashMap<String, ThreadState.BlockReason>();
    if (steps.containsKey(PAUSED)) open.put(PAUSED, ThreadState.BlockReason.PAUSE);
    for (var run : steps.getOrDefault(DRAINED, Map.of()).keySet()) {
      open.put(run, ThreadState.BlockReason.DRAIN);
    }
    open.keySet().removeAll(steps.getOrDefault(WENT_ON, Map.of()).keySet());
    return open;
  }
}
