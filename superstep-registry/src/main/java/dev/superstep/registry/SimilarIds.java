package dev.superstep.registry;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/// Finds the id that somebody probably meant.
final class SimilarIds {
  private static final int OTHER_PART = 1;

  private SimilarIds() {}

  /// Returns the id with the most similar name, of the same kind if possible.
  static Optional<ComponentId> nearest(ComponentId wanted, Collection<ComponentId> ids) {
    int far = Math.max(1, wanted.name().length() / 3);
    return ids.stream()
        .filter(id -> edits(wanted.name(), id.name()) <= far)
        .min(
            Comparator.comparingInt((ComponentId id) -> distance(wanted, id))
                .thenComparing(id -> id));
  }

  private static int distance(ComponentId wanted, ComponentId id) {
    int kind = wanted.kind().equals(id.kind()) ? 0 : wanted.name().length() + 2 * OTHER_PART;
    int namespace = wanted.namespace().equals(id.namespace()) ? 0 : OTHER_PART;
    int version = wanted.version().equals(id.version()) ? 0 : OTHER_PART;
    return edits(wanted.name(), id.name()) + kind + namespace + version;
  }

  /// Counts the letters to add, remove or change (Levenshtein).
  private static int edits(String a, String b) {
    var costs = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        if (i == 0 || j == 0) {
          costs[i][j] = i + j;
        } else {
          int same = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
          int changed = costs[i - 1][j - 1] + same;
          costs[i][j] = Math.min(changed, 1 + Math.min(costs[i - 1][j], costs[i][j - 1]));
        }
      }
    }
    return costs[a.length()][b.length()];
  }
}
