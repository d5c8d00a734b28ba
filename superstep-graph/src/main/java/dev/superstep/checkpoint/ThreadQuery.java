package dev.superstep.checkpoint;

import java.util.Optional;

/// Which threads to list.
///
/// @param graph only those of a graph of this name
/// @param run only those in which this run wrote
/// @param before the last thread of the previous page; if it is gone, nothing is found
/// @param limit at most so many, at least 1
public record ThreadQuery(
    Optional<String> graph, Optional<String> run, Optional<String> before, int limit) {
  public ThreadQuery {
    if (limit < 1) throw new IllegalArgumentException("limit must be at least 1, was " + limit);
  }

  /// The newest threads, at most so many.
  public static ThreadQuery newest(int limit) {
    return new ThreadQuery(Optional.empty(), Optional.empty(), Optional.empty(), limit);
  }

  /// Returns a copy that lists only threads of graphs of this name.
  public ThreadQuery of(String name) {
    return new ThreadQuery(Optional.of(name), run, before, limit);
  }

  /// Returns a copy that lists only threads in which this run wrote.
  public ThreadQuery writtenBy(String id) {
    return new ThreadQuery(graph, Optional.of(id), before, limit);
  }

  /// Returns a copy that continues after this thread.
  public ThreadQuery after(String thread) {
    return new ThreadQuery(graph, run, Optional.of(thread), limit);
  }
}
