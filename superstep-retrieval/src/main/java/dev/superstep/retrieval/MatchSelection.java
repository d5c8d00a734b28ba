package dev.superstep.retrieval;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Chooses matches from candidates. Pure.
final class MatchSelection {
  // How little the first ranks differ. The usual 60 lets dozens that are mediocre in both orders
  // pass the only chunk with a number that was asked for.
  private static final double RANK_OFFSET = 4;
  // First in both orders.
  private static final double POINTS_MOST = 2 / (RANK_OFFSET + 1);
  private static final int FETCH_FACTOR = 4;
  private static final int FETCH_LEAST = 40;

  private MatchSelection() {}

  /// By maximal marginal relevance: each time the candidate whose nearness to the query, less its
  /// nearness to what is chosen already, is greatest.
  ///
  /// @param candidates the nearest first
  static List<Candidate> diverse(List<Candidate> candidates, double lambda, int limit) {
    var left = new ArrayList<>(candidates);
    var nearestChosen = new HashMap<String, Double>();
    var chosen = new ArrayList<Candidate>();
    while (chosen.size() < limit && !left.isEmpty()) {
      var best =
          left.stream()
              .max(
                  Comparator.comparingDouble((Candidate one) ->
                          lambda * one.match().similarity()
                              - (1 - lambda) * nearestChosen.getOrDefault(one.id(), 0.0))
                      .thenComparingDouble(one -> one.match().similarity())
                      .thenComparing(Candidate::id, Comparator.reverseOrder()))
              .orElseThrow();
      chosen.add(best);
      left.remove(best);
      for (var one : left) {
        nearestChosen.merge(one.id(), one.embedding().nearness(best.embedding()), Math::max);
      }
    }
    return chosen;
  }

  /// The number of candidates to fetch in each order, for this number of fused ones.
  static int fetch(int limit) {
    return Math.max(FETCH_LEAST, limit * FETCH_FACTOR);
  }

  /// By reciprocal rank fusion of two orders.
  static List<Candidate> fused(List<Candidate> byMeaning, List<Candidate> byWords, int limit) {
    var ranks = List.of(ranks(byMeaning), ranks(byWords));
    var all = new HashMap<String, Candidate>();
    for (var candidate : byMeaning) all.put(candidate.id(), candidate);
    for (var candidate : byWords) all.put(candidate.id(), candidate);
    return all.values().stream()
        .map(candidate -> fused(candidate, ranks))
        .sorted(
            Comparator.comparingDouble((Candidate one) -> one.match().score())
                .reversed()
                .thenComparing(Candidate::id))
        .limit(limit)
        .toList();
  }

  private static Candidate fused(Candidate candidate, List<Map<String, Integer>> ranks) {
    var meaning = Optional.ofNullable(ranks.getFirst().get(candidate.id()));
    var words = Optional.ofNullable(ranks.getLast().get(candidate.id()));
    double points = points(meaning) + points(words);
    return candidate.fused(points / POINTS_MOST, new Match.Ranks(meaning, words));
  }

  private static double points(Optional<Integer> rank) {
    return rank.map(at -> 1 / (RANK_OFFSET + at)).orElse(0.0);
  }

  private static Map<String, Integer> ranks(List<Candidate> order) {
    var ranks = new HashMap<String, Integer>();
    for (int i = 0; i < order.size(); i++) ranks.put(order.get(i).id(), i + 1);
    return ranks;
  }
}
