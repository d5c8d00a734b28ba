package dev.superstep.tool.search;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/// Finds the names that somebody may have meant by one that does not exist.
final class NearNames {
  private static final int MOST = 3;
  private static final int LENGTH_MAX = 80;

  private NearNames() {}

  private record Near(String name, int distance) {}

  static List<String> of(String wanted, Collection<String> names) {
    if (wanted.length() > LENGTH_MAX) return List.of();
    var asked = wanted.toLowerCase(Locale.ROOT).replace('-', '_');
    int far = Math.max(1, asked.length() / 3);
    return names.stream()
        .filter(name -> Math.abs(name.length() - asked.length()) <= far)
        .map(name -> new Near(name, distance(asked, name)))
        .filter(near -> near.distance() <= far)
        .sorted(Comparator.comparingInt(Near::distance).thenComparing(Near::name))
        .limit(MOST)
        .map(Near::name)
        .toList();
  }

  /// The number of single-letter edits between two words (Levenshtein).
  private static int distance(String a, String b) {
    var row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) row[j] = j;
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int change = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(change, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[b.length()];
  }
}
