package dev.superstep.language;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/// Finds the name that somebody may have meant. It looks only at the names that it is given, which
/// are those that the writer may see.
public final class Suggestion {
  private static final int LENGTH_MAX = 64;
  private static final int NAMES_MAX = 2_000;

  private Suggestion() {}

  /// The nearest of some names, if one is near: at most a third of the letters differ.
  public static Optional<String> nearest(String wrong, Collection<String> names) {
    if (wrong.isEmpty() || wrong.length() > LENGTH_MAX) return Optional.empty();
    var text = wrong.toLowerCase(Locale.ROOT);
    String best = "";
    int least = Math.min(wrong.length(), Math.max(1, wrong.length() / 3) + 1);
    int looked = 0;
    for (var name : names) {
      if (looked++ == NAMES_MAX) break;
      if (name.length() > LENGTH_MAX || name.equals(wrong)) continue;
      if (Math.abs(name.length() - wrong.length()) >= least) continue;
      int distance = distance(text, name.toLowerCase(Locale.ROOT));
      if (distance < least || (distance == least && !best.isEmpty() && name.compareTo(best) < 0)) {
        least = distance;
        best = name;
      }
    }
    return best.isEmpty() ? Optional.empty() : Optional.of(best);
  }

  /// A question about the nearest name, or nothing.
  public static String didYouMean(String wrong, Collection<String> names) {
    return nearest(wrong, names).map(name -> "did you mean `" + name + "`?").orElse("");
  }

  /// Counts the letters to insert, remove, replace or swap with their neighbour.
  private static int distance(String a, String b) {
    var before = new int[b.length() + 1];
    var last = new int[b.length() + 1];
    var now = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) last[j] = j;
    for (int i = 1; i <= a.length(); i++) {
      now[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int same = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
        now[j] = Math.min(Math.min(now[j - 1], last[j]) + 1, last[j - 1] + same);
        if (i > 1
            && j > 1
            && a.charAt(i - 1) == b.charAt(j - 2)
            && a.charAt(i - 2) == b.charAt(j - 1)) {
          now[j] = Math.min(now[j], before[j - 2] + 1);
        }
      }
      var spare = before;
      before = last;
      last = now;
      now = spare;
    }
    return last[b.length()];
  }
}
