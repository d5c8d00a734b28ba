package dev.superstep.graph;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Cancels and drains a run from outside, behind its `RunStream`; and knows the attempts that it
/// has left behind. Safe for many threads.
final class RunControl {
  private volatile boolean cancelled;
  private volatile boolean draining;
  private final Map<Thread, String> left = new ConcurrentHashMap<>();

  void cancel() {
    cancelled = true;
  }

  boolean isCancelled() {
    return cancelled;
  }

  void drain() {
    draining = true;
  }

  boolean isDraining() {
    return draining;
  }

  /// An attempt was given up and has not ended.
  void leave(String node, Thread attempt) {
    left.put(attempt, node);
  }

  /// The nodes of attempts that were given up and have not ended.
  List<String> leftBehind() {
    left.keySet().removeIf(attempt -> !attempt.isAlive());
    return left.values().stream().sorted().toList();
  }
}
