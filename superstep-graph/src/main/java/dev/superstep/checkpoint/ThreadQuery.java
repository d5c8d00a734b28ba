package dev.superstep.checkpoint;

import dev.superstep.json.InvalidName;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// Which threads to list.
///
/// @param graph only those of a graph of this name
/// @param run only those in which this run wrote
/// @param before the last thread of the previous page; if it is gone, nothing is found
/// @param limit at most so many, at least 1
/// @param metadata only those whose newest checkpoint has all these entries
public record ThreadQuery(
    Optional<String> graph,
    Optional<String> run,
    Optional<String> before,
    int limit,
    Map<String, String> metadata) {
  public ThreadQuery {
    if (limit < 1) throw new IllegalArgumentException("limit must be at least 1, was " + limit);
    for (var name : metadata.keySet()) InvalidName.check("Metadata", name);
    metadata = Collections.unmodifiableMap(new LinkedHashMap<>(metadata));
  }

  /// Without a wish for metadata.
  public ThreadQuery(
      Optional<String> graph, Optional<String> run, Optional<String> before, int limit) {
    this(graph, run, before, limit, Map.of());
  }

  /// The newest threads, at most so many.
  public static ThreadQuery newest(int limit) {
    return new ThreadQuery(Optional.empty(), Optional.empty(), Optional.empty(), limit);
  }

  /// Returns a copy that lists only threads of graphs of this name.
  public ThreadQuery of(String name) {
    return new ThreadQuery(Optional.of(name), run, before, limit, metadata);
  }

  /// Returns a copy that lists only threads in which this run wrote.
  public ThreadQuery writtenBy(String id) {
    return new ThreadQuery(graph, Optional.of(id), before, limit, metadata);
  }

  /// Returns a copy that continues after this thread.
  public ThreadQuery after(String thread) {
    return new ThreadQuery(graph, run, Optional.of(thread), limit, metadata);
  }

  /// Returns a copy that lists only threads whose newest run was given this metadata.
  public ThreadQuery where(String name, String value) {
    var more = new LinkedHashMap<>(metadata);
    more.put(name, value);
    return new ThreadQuery(graph, run, before, limit, more);
  }

  /// Returns a copy that asks for no metadata and for the same otherwise, with another limit.
  ThreadQuery withoutMetadata(int most) {
    return new ThreadQuery(graph, run, before, most);
  }
}
