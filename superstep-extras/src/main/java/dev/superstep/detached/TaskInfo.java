package dev.superstep.detached;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/// A registered task as its owner sees it at one moment. Immutable.
///
/// @param name what the owner calls it
/// @param labels what its owner wants to know of it, such as where it was started
/// @param ended when it ended, if it has
public record TaskInfo<T>(
    String id,
    String name,
    Map<String, String> labels,
    TaskState<T> state,
    Instant started,
    Optional<Instant> ended) {
  public TaskInfo {
    labels = Map.copyOf(labels);
  }
}
