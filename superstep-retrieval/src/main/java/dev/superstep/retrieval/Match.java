package dev.superstep.retrieval;

import dev.superstep.retrieval.chunk.Chunk;
import java.util.Optional;

/// A chunk that a search found. Immutable.
///
/// ```java
/// for (var match : index.search(Query.of("refund within a week").hybrid())) {
///   System.out.printf("%.2f (meaning %.2f, %s) %s%n",
///       match.score(), match.similarity(), match.ranks(), match.chunk().id());
/// }
/// ```
///
/// @param score what it is ordered by: after a [reranking][Reranked] the relevance; in a
///   [hybrid][Query#hybrid] search the fused score, from 0 to 1, where 1 is the first by meaning
///   and by words; else the similarity
/// @param similarity how near its meaning is to the query, from -1 to 1
/// @param ranks its places in the two orders that were fused; empty if the search was not hybrid
/// @param reranked what it was before it was reranked; empty if it was not
public record Match(
    Chunk chunk,
    double score,
    double similarity,
    Optional<Ranks> ranks,
    Optional<Reranked> reranked) {
  /// The score and place of a match before a reranker ordered the matches anew.
  ///
  /// @param by names the reranker
  /// @param scoreBefore the score of the search
  /// @param rankBefore the place in the search, counted from 1
  public record Reranked(String by, double scoreBefore, int rankBefore) {}

  /// The places of a chunk in the orders that a hybrid search fuses, counted from 1. An order in
  /// which it is not among the first says nothing.
  ///
  /// @param byMeaning its place among the nearest in meaning
  /// @param byWords its place among those that hold words of the question
  public record Ranks(Optional<Integer> byMeaning, Optional<Integer> byWords) {
    @Override
    public String toString() {
      return "Ranks[byMeaning=%s, byWords=%s]".formatted(place(byMeaning), place(byWords));
    }

    private static String place(Optional<Integer> rank) {
      return rank.map(Object::toString).orElse("-");
    }
  }

  /// A match that was not reranked.
  public Match(Chunk chunk, double score, double similarity, Optional<Ranks> ranks) {
    this(chunk, score, similarity, ranks, Optional.empty());
  }

  /// A match of a search by meaning alone.
  public Match(Chunk chunk, double similarity) {
    this(chunk, similarity, similarity, Optional.empty());
  }

  /// Returns a copy with the relevance that a reranker gave it as its score. A match that is
  /// reranked again keeps what it was in the search.
  ///
  /// @param by names the reranker
  /// @param rankBefore its place before, counted from 1
  public Match reranked(String by, double relevance, int rankBefore) {
    var before =
        reranked
            .map(earlier -> new Reranked(by, earlier.scoreBefore(), earlier.rankBefore()))
            .orElseGet(() -> new Reranked(by, score, rankBefore));
    return new Match(chunk, relevance, similarity, ranks, Optional.of(before));
  }
}
