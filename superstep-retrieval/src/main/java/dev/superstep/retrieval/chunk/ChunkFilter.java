package dev.superstep.retrieval.chunk;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// A condition on the metadata or the source of chunks. Data and nothing else, so that each storage
/// can ask it in its own way. Immutable.
///
/// ```java
/// var filter = ChunkFilter.is("lang", "en").and(ChunkFilter.has("draft").not());
/// ```
public sealed interface ChunkFilter {
  /// Every chunk.
  static ChunkFilter all() {
    return new And(List.of());
  }

  /// The metadata has this value under the key.
  static ChunkFilter is(String key, String value) {
    return new OneOf(key, Set.of(value));
  }

  /// The metadata has one of these values under the key.
  static ChunkFilter isOneOf(String key, Collection<String> values) {
    return new OneOf(key, new TreeSet<>(values));
  }

  /// The metadata has the key.
  static ChunkFilter has(String key) {
    return new Has(key);
  }

  /// It comes from one of these sources.
  static ChunkFilter from(String... sources) {
    return new From(new TreeSet<>(List.of(sources)));
  }

  /// Both hold.
  default ChunkFilter and(ChunkFilter other) {
    return new And(List.of(this, other));
  }

  /// At least one of both holds.
  default ChunkFilter or(ChunkFilter other) {
    return new Or(List.of(this, other));
  }

  /// The opposite.
  default ChunkFilter not() {
    return new Not(this);
  }

  /// Returns whether the filter accepts a chunk.
  default boolean matches(Chunk chunk) {
    return switch (this) {
      case OneOf(var key, var values) -> {
        var value = chunk.metadata().get(key);
        yield value != null && values.contains(value);
      }
      case Has(var key) -> chunk.metadata().containsKey(key);
      case From(var sources) -> sources.contains(chunk.provenance().source());
      case And(var filters) -> filters.stream().allMatch(filter -> filter.matches(chunk));
      case Or(var filters) -> filters.stream().anyMatch(filter -> filter.matches(chunk));
      case Not(var filter) -> !filter.matches(chunk);
    };
  }

  /// See [#isOneOf].
  record OneOf(String key, Set<String> values) implements ChunkFilter {
    /// Copies the values.
    public OneOf {
      values = Set.copyOf(values);
    }
  }

  /// See [#has].
  record Has(String key) implements ChunkFilter {}

  /// See [#from].
  record From(Set<String> sources) implements ChunkFilter {
    /// Copies the sources.
    public From {
      sources = Set.copyOf(sources);
    }
  }

  /// All hold; also if there are none.
  record And(List<ChunkFilter> filters) implements ChunkFilter {
    /// Copies the filters.
    public And {
      filters = List.copyOf(filters);
    }
  }

  /// At least one holds; not if there are none.
  record Or(List<ChunkFilter> filters) implements ChunkFilter {
    /// Copies the filters.
    public Or {
      filters = List.copyOf(filters);
    }
  }

  /// The opposite.
  record Not(ChunkFilter filter) implements ChunkFilter {}
}
