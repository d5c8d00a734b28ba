package dev.superstep.flow;

import dev.superstep.checkpoint.Memories;
import dev.superstep.checkpoint.PendingNode;
import dev.superstep.checkpoint.Progress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// A [Progress] as a snapshot tells it. No step of a flow remembers, so it has no memories.
/// Immutable.
record ProgressRecord(
    List<PendingNode> next,
    List<PendingNode> held,
    Map<String, Set<String>> arrived,
    Map<String, Map<String, Long>> seen,
    List<String> ran,
    Map<String, List<String>> chosen) {
  static ProgressRecord of(Progress at) {
    return new ProgressRecord(at.next(), at.held(), at.arrived(), at.seen(), at.ran(), at.chosen());
  }

  Progress progress() {
    return new Progress(next, held, arrived, seen, ran, chosen, Memories.NONE, Optional.empty());
  }
}
