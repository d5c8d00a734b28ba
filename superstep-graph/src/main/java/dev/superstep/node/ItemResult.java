package dev.superstep.node;

/// The result of one item of a [dev.superstep.graph.Parallel]. Immutable.
public sealed interface ItemResult<T> {
  /// It was done.
  record Succeeded<T>(T value) implements ItemResult<T> {}

  /// It threw, or took longer than it may ([dev.superstep.error.ItemTimedOut]).
  record Failed<T>(Throwable error) implements ItemResult<T> {}

  /// It was not begun, or stopped before it was done, because it was no longer needed or the time
  /// of all was over.
  record Cancelled<T>() implements ItemResult<T> {}
}
