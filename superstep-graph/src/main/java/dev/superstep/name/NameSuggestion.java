package dev.superstep.name;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/// Finds the names that somebody probably meant by one that does not exist. A name is near if at
/// most a third of its letters differ; upper and lower case count as equal, and so do `-` and `_`.
///
/// Names come from models and files: longer ones than 80 letters are not compared, and no more
/// names than 2000.
public final class NameSuggestion {
  private static final int LENGTH_MAX = 80;
  private static final int NAMES_MAX = 2_000;

  private static final Comparator<Near> NEAREST_FIRST =
      Comparator.comparingInt(Near::edits)
          .thenComparingInt(near -> -near.name().length())
          .thenComparing(Near::name);

  private NameSuggestion() {}

  private record Near(String name, int edits) {}

  /// Finds the nearest of some names; of equally near ones the longest, then the first of the
  /// alphabet.
  public static Optional<String> nearest(String wanted, Collection<String> names) {
    return near(wanted, names).map(Near::name).findFirst();
  }

  /// Finds the nearest of some names, the nearest first.
  public static List<String> nearest(String wanted, Collection<String> names, int most) {
    return near(wanted, names).limit(most).map(Near::name).toList();
  }

  /// Counts the letters to add, remove, change or swap with their neighbour.
  ///
  /// @return nothing if the names are too different, or too long
  public static OptionalInt edits(String wanted, String name) {
    if (wanted.length() > LENGTH_MAX || name.length() > LENGTH_MAX) return OptionalInt.empty();
    int far = Math.min(Math.max(1, wanted.length() / 3), wanted.length() - 1);
    if (Math.abs(name.length() - wanted.length()) > far) return OptionalInt.empty();
    int edits = distance(folded(wanted), folded(name));
    return edits <= far ? OptionalInt.of(edits) : OptionalInt.empty();
  }

  private static Stream<Near> near(String wanted, Collection<String> names) {
    return names.stream()
        .limit(NAMES_MAX)
        .flatMap(name -> edits(wanted, name).stream().mapToObj(edits -> new Near(name, edits)))
        .sorted(NEAREST_FIRST);
  }

  private static String folded(String name) {
    return name.toLowerCase(Locale.ROOT).replace('-', '_');
  }

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
        if (isSwap(a, i, b, j)) now[j] = Math.min(now[j], before[j - 2] + 1);
      }
      var spare = before;
      before = last;
      last = now;
      now = spare;
    }
    return last[b.length()];
  }

  private static boolean isSwap(String a, int i, String b, int j) {
    return i > 1
        && j > 1
        && a.charAt(i - 1) == b.charAt(j - 2)
        && a.charAt(i - 2) == b.charAt(j - 1);
  }
}
