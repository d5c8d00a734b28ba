package dev.superstep.graph.internal.execution;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Cancels and drains a run from outside, behind its `RunStream`; and knows the attempts that it
/// has left behind. Safe for many threads.
public final class RunControl {
  private volatile boolean cancelled;
  private volatile boolean draining;
  private final Map<Thread, String> left = new ConcurrentHashMap<>();

  public void cancel() {
    cancelled = true;
  }

  public boolean isCancelled() {
    return cancelled;
  }

  public void drain() {
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
  public List<String> abandonedNodes() {
    left.keySet().removeIf(attempt -> !attempt.isAlive());
    return left.values().stream().sorted().toList();
  }
}
