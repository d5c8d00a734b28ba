package dev.superstep.retrieval;

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
/// @param score what it is ordered by: in a [hybrid][Query#hybrid] search the fused score, from 0
///   to 1, where 1 is the first by meaning and by words; else the similarity
/// @param similarity how near its meaning is to the query, from -1 to 1
/// @param ranks its places in the two orders that were fused; empty if the search was not hybrid
public record Match(Chunk chunk, double score, double similarity, Optional<Ranks> ranks) {
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

  /// A match of a search by meaning alone.
  public Match(Chunk chunk, double similarity) {
    this(chunk, similarity, similarity, Optional.empty());
  }
}
