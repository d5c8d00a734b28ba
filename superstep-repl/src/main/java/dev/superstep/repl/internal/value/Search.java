package dev.superstep.repl.internal.value;

/// Finds a text in another in time that grows with the sum of their lengths, not the product.
public final class Search {
  private Search() {}

  /// The offset of the first place at or after an offset, or -1.
  public static int find(Meter m, String text, String part, int from) {
    if (part.length() < 32) {
      int found = text.indexOf(part, from);
      m.work((found < 0 ? text.length() : found) - Math.min(from, text.length()) + 1L);
      return found;
    }
    return longPart(m, text, part, from);
  }

  // Knuth, Morris and Pratt: `"a"*n` in `"a"*m` must not take n*m.
  private static int longPart(Meter m, String text, String part, int from) {
    m.charge(4L * part.length());
    m.work(text.length() - Math.min(from, text.length()) + 2L * part.length());
    var back = new int[part.length()];
    for (int i = 1, k = 0; i < part.length(); i++) {
      while (k > 0 && part.charAt(i) != part.charAt(k)) k = back[k - 1];
      if (part.charAt(i) == part.charAt(k)) k++;
      back[i] = k;
    }
    for (int i = from, k = 0; i < text.length(); i++) {
      while (k > 0 && text.charAt(i) != part.charAt(k)) k = back[k - 1];
      if (text.charAt(i) == part.charAt(k)) k++;
      if (k == part.length()) return i - k + 1;
    }
    return -1;
  }

  /// The position of the first place in a part of a large text, or -1. Reads by windows.
  public static long find(Meter m, TextValue text, String part, long from, long to) {
    int points = part.codePointCount(0, part.length());
    if (points == 0) return from <= to ? from : -1;
    if (points > TextValue.WINDOW / 2) throw Raise.value("the text to find is too long");
    for (long at = from; at + points <= to; ) {
      long end = Math.min(to, at + TextValue.WINDOW);
      var window = text.piece(m, at, end);
      int found = find(m, window, part, 0);
      if (found >= 0) return at + window.codePointCount(0, found);
      at = end == to ? to : end - points + 1;
    }
    return -1;
  }
}
