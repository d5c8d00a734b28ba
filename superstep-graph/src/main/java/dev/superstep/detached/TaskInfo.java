package dev.superstep.detached;

import java.time.Instant;
import java.util.Optional;

/// A registered task as its owner sees it at one moment. Immutable.
///
/// @param name what the owner calls it
/// @param ended when it ended, if it has
public record TaskInfo<T>(
    String id, String name, TaskState<T> state, Instant started, Optional<Instant> ended) {}
