package dev.superstep.retrieval;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Chooses matches from candidates. Pure.
final class MatchSelection {
  // From the paper on reciprocal rank fusion: how little the first ranks differ.
  private static final double RANK_OFFSET = 60;
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
                          lambda * one.match().score()
                              - (1 - lambda) * nearestChosen.getOrDefault(one.id(), 0.0))
                      .thenComparingDouble(one -> one.match().score())
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
  static List<Candidate> fused(List<Candidate> one, List<Candidate> other, int limit) {
    var points = new HashMap<String, Double>();
    var all = new HashMap<String, Candidate>();
    for (var order : List.of(one, other)) {
      for (int rank = 1; rank <= order.size(); rank++) {
        var candidate = order.get(rank - 1);
        points.merge(candidate.id(), 1 / (RANK_OFFSET + rank), Double::sum);
        all.put(candidate.id(), candidate);
      }
    }
    return points.entrySet().stream()
        .sorted(
            Map.Entry.<String, Double>comparingByValue()
                .reversed()
                .thenComparing(Map.Entry.comparingByKey()))
        .limit(limit)
        .map(entry -> all.get(entry.getKey()))
        .toList();
  }
}
