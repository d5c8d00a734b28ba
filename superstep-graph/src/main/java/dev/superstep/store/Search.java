package dev.superstep.store;

import dev.superstep.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A search in a store. Immutable; each method returns a changed copy.
///
/// ```java
/// var search = Search.in(Namespace.of("users", "ann")).where(Filter.gte("/stars", 4)).limit(20);
/// ```
///
/// Without a [#query], what was put last comes first. With one, what is nearest in meaning.
public final class Search {
  /// The largest number of hits that one search may ask for.
  public static final int LIMIT_MAX = 1_000;

  /// The largest number of hits that one search may skip.
  public static final int OFFSET_MAX = 10_000;

  private static final int LIMIT = 10;

  private final Namespace within;
  private List<Filter> filters = List.of();
  private @Nullable String query;
  private double least = -1;
  private int limit = LIMIT;
  private int offset;

  private Search(Namespace within) {
    this.within = within;
  }

  /// A search in a namespace and all that are in it; for 10 hits, unless [#limit] says otherwise.
  public static Search in(Namespace within) {
    return new Search(within);
  }

  /// Only items that fulfil these conditions, and those given before.
  public Search where(Filter... conditions) {
    var copy = copy();
    copy.filters = new ArrayList<>(filters);
    copy.filters.addAll(List.of(conditions));
    return copy;
  }

  /// Items by how near their meaning is to this text. Items that were not embedded are not found.
  public Search query(String text) {
    if (text.isBlank()) throw new IllegalArgumentException("query must not be blank");
    var copy = copy();
    copy.query = text;
    return copy;
  }

  /// Only items that are at least so near to the query: -1 is all, 1 the very same direction.
  public Search minScore(double score) {
    if (!(score >= -1 && score <= 1)) {
      throw new IllegalArgumentException("minScore must be from -1 to 1, was " + score);
    }
    var copy = copy();
    copy.least = score;
    return copy;
  }

  /// At most so many hits.
  public Search limit(int hits) {
    if (hits < 1 || hits > LIMIT_MAX) {
      throw new IllegalArgumentException("limit must be 1 to " + LIMIT_MAX + ", was " + hits);
    }
    var copy = copy();
    copy.limit = hits;
    return copy;
  }

  /// Without the first hits.
  public Search offset(int hits) {
    if (hits < 0 || hits > OFFSET_MAX) {
      throw new IllegalArgumentException("offset must be 0 to " + OFFSET_MAX + ", was " + hits);
    }
    var copy = copy();
    copy.offset = hits;
    return copy;
  }

  /// The namespace in which it looks.
  public Namespace within() {
    return within;
  }

  /// The text whose meaning is looked for.
  public Optional<String> query() {
    return Optional.ofNullable(query);
  }

  /// The least score of a hit.
  public double minScore() {
    return least;
  }

  /// The largest number of hits to return.
  public int limit() {
    return limit;
  }

  /// The number of hits to skip.
  public int offset() {
    return offset;
  }

  /// Returns whether a value fulfils all conditions.
  public boolean matches(Json value) {
    if (filters.isEmpty()) return true;
    var root = Values.parse(value);
    return filters.stream().allMatch(filter -> filter.matches(root));
  }

  @Override
  public String toString() {
    return "in `%s` where %s, query %s, from %s, %d of offset %d"
        .formatted(within, filters, query, least, limit, offset);
  }

  private Search copy() {
    var copy = new Search(within);
    copy.filters = filters;
    copy.query = query;
    copy.least = least;
    copy.limit = limit;
    copy.offset = offset;
    return copy;
  }
}
