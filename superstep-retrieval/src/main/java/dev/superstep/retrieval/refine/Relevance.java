package dev.superstep.retrieval.refine;

import dev.superstep.retrieval.Match;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/// Orders matches by a relevance.
final class Relevance {
  private Relevance() {}

  /// Returns the matches that have a relevance, the highest first, and then the others as they
  /// were, with the lowest relevance that was given. Equal ones stay in their order.
  ///
  /// @param byPlace the relevance by the place of a match, from 0
  static List<Match> order(String reranker, List<Match> matches, Map<Integer, Double> byPlace) {
    double lowest = byPlace.values().stream().mapToDouble(one -> one).min().orElse(0);
    var judged = new ArrayList<Match>();
    var others = new ArrayList<Match>();
    for (int i = 0; i < matches.size(); i++) {
      var relevance = byPlace.get(i);
      if (relevance != null) judged.add(matches.get(i).reranked(reranker, relevance, i + 1));
      else others.add(matches.get(i).reranked(reranker, lowest, i + 1));
    }
    judged.sort(Comparator.comparingDouble(Match::score).reversed());
    judged.addAll(others);
    return List.copyOf(judged);
  }

  /// Returns the beginning of a text, without half of a character at its end.
  static String beginning(String text, int characters) {
    if (text.length() <= characters) return text;
    boolean isHalf = Character.isHighSurrogate(text.charAt(characters - 1));
    return text.substring(0, isHalf ? characters - 1 : characters);
  }
}
