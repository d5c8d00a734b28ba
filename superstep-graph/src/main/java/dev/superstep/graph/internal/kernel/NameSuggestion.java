package dev.superstep.graph.internal.kernel;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/// Finds the name that somebody probably meant.
public final class NameSuggestion {
  private NameSuggestion() {}

  public static Optional<String> to(String wanted, Collection<String> names) {
    int far = Math.max(1, wanted.length() / 3);
    return names.stream()
        .filter(name -> distance(wanted, name) <= far)
        .min(Comparator.comparingInt(name -> distance(wanted, name)));
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
