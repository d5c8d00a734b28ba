package dev.superstep.retrieval;

import dev.superstep.retrieval.chunk.ChunkFilter;
import dev.superstep.retrieval.vector.Embedding;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A search in an index. Immutable; each method returns a changed copy.
///
/// ```java
/// var query = Query.of("how do I pay?").limit(3).where(ChunkFilter.is("lang", "en"));
/// ```
///
/// By default it requests the 10 chunks that are nearest in meaning.
public final class Query {
  /// The maximum number of chunks that a search may request or consider.
  public static final int LIMIT_MAX = 1_000;

  private static final int LIMIT = 10;

  private final @Nullable String text;
  private final @Nullable Embedding embedding;
  private int limit = LIMIT;
  private double least = -1;
  private ChunkFilter filter = ChunkFilter.all();
  private Ranking ranking = new Ranking.Nearest();

  private Query(@Nullable String text, @Nullable Embedding embedding) {
    this.text = text;
    this.embedding = embedding;
  }

  /// A question or some words. A blank one finds nothing.
  public static Query of(String text) {
    return new Query(text, null);
  }

  /// A search for chunks near to a vector, which must come from the embedder of the index.
  public static Query near(Embedding embedding) {
    return new Query(null, embedding);
  }

  /// Sets the maximum number of chunks.
  public Query limit(int chunks) {
    var copy = copy();
    copy.limit = checked("limit", chunks);
    return copy;
  }

  /// Requires a cosine similarity of at least this, in any order: -1 accepts all, 1 only the same
  /// direction.
  public Query minScore(double score) {
    if (!(score >= -1 && score <= 1)) {
      throw new IllegalArgumentException("minScore must be from -1 to 1, was " + score);
    }
    var copy = copy();
    copy.least = score;
    return copy;
  }

  /// Adds a condition that chunks must meet.
  public Query where(ChunkFilter condition) {
    var copy = copy();
    copy.filter = filter.equals(ChunkFilter.all()) ? condition : filter.and(condition);
    return copy;
  }

  /// Prefers chunks that differ from each other, chosen by maximal marginal relevance.
  ///
  /// @param lambda from 0, only different, to 1, only near
  /// @param fetch the number of nearest chunks to choose from
  public Query diverse(double lambda, int fetch) {
    if (!(lambda >= 0 && lambda <= 1)) {
      throw new IllegalArgumentException("lambda must be from 0 to 1, was " + lambda);
    }
    var copy = copy();
    copy.ranking = new Ranking.Diverse(lambda, checked("fetch", fetch));
    return copy;
  }

  /// Searches by meaning and by words, and fuses the two rankings (reciprocal rank fusion). This
  /// also finds names and numbers that an embedder does not know. The score of a match is then the
  /// fused one; [Match#ranks] tells where it comes from.
  public Query hybrid() {
    if (text == null) throw new IllegalArgumentException("a query by vector has no words to find");
    var copy = copy();
    copy.ranking = new Ranking.Hybrid();
    return copy;
  }

  /// The maximum number of chunks.
  public int limit() {
    return limit;
  }

  @Override
  public String toString() {
    return "%s where %s, from %s, at most %d, %s"
        .formatted(text == null ? embedding : "`" + text + "`", filter, least, limit, ranking);
  }

  Optional<String> text() {
    return Optional.ofNullable(text);
  }

  Optional<Embedding> embedding() {
    return Optional.ofNullable(embedding);
  }

  double minScore() {
    return least;
  }

  ChunkFilter filter() {
    return filter;
  }

  Ranking ranking() {
    return ranking;
  }

  private static int checked(String name, int number) {
    if (number < 1 || number > LIMIT_MAX) {
      throw new IllegalArgumentException(name + " must be 1 to " + LIMIT_MAX + ", was " + number);
    }
    return number;
  }

  private Query copy() {
    var copy = new Query(text, embedding);
    copy.limit = limit;
    copy.least = least;
    copy.filter = filter;
    copy.ranking = ranking;
    return copy;
  }
}
