package dev.superstep.repl.internal.value;

/// Finds a text in another in time that grows with the sum of their lengths, not the product.
public final class Search {
  private static final int SKIP_MAX = 64;
  private static final int SAMPLE = 512;
  private static final int MISSES_FIRST = 16;
  private static final int MISSES_FREE = 128;
  private static final int PER_MISS = 8;
  private static final int COMPARISON = 4;

  private Search() {}

  /// The offset of the first place at or after an offset, or -1.
  public static int find(Meter m, String text, String part, int from) {
    if (part.length() < 2) {
      int found = text.indexOf(part, from);
      m.work(((found < 0 ? text.length() : found) - Math.min(from, text.length()) + 1L) >> 4);
      return found;
    }
    return part.length() <= SKIP_MAX ? skipping(m, text, part, from) : linear(m, text, part, from);
  }

  // Jumps between the places of one rare character, which the JVM does many characters at a time.
  // In texts where that hits too often, such as "aaaa", each step is counted instead.
  private static int skipping(Meter m, String text, String part, int from) {
    int pivot = 0;
    char rare = part.charAt(0);
    long misses = 0;
    long compared = 0;
    int at = from;
    while (true) {
      int hit = text.indexOf(rare, at + pivot);
      if (hit < 0 || hit - pivot + part.length() > text.length()) {
        m.work((text.length() - Math.min(from, text.length()) + 1L) >> 4);
        return -1;
      }
      at = hit - pivot;
      if (text.charAt(at) == part.charAt(0)) {
        if (text.startsWith(part, at)) {
          m.work((at - from + 1L) >> 4);
          return at;
        }
        compared++;
      }
      misses++;
      at++;
      if (misses == MISSES_FIRST) {
        pivot = rarest(text, part, at);
        rare = part.charAt(pivot);
      }
      if (misses + COMPARISON * compared > MISSES_FREE + (at - from) / PER_MISS) {
        m.work((at - from) >> 4);
        return linear(m, text, part, at);
      }
    }
  }

  private static int rarest(String text, String part, int from) {
    int end = Math.min(text.length(), from + SAMPLE);
    int best = 0;
    int fewest = Integer.MAX_VALUE;
    for (int i = 0; i < part.length(); i++) {
      int count = 0;
      for (int at = text.indexOf(part.charAt(i), from, Math.max(from, end));
          at >= 0 && count < fewest;
          at = text.indexOf(part.charAt(i), at + 1, end)) {
        count++;
      }
      if (count < fewest) {
        fewest = count;
        best = i;
        if (count == 0) break;
      }
    }
    return best;
  }

  // Knuth, Morris and Pratt: `"a"*n` in `"a"*m` must not take n*m.
  private static int linear(Meter m, String text, String part, int from) {
    m.charge(4L * part.length());
    m.work((2L * part.length()) >> 2);
    var back = new int[part.length()];
    for (int i = 1, k = 0; i < part.length(); i++) {
      while (k > 0 && part.charAt(i) != part.charAt(k)) k = back[k - 1];
      if (part.charAt(i) == part.charAt(k)) k++;
      back[i] = k;
    }
    int i = from;
    int k = 0;
    while (i < text.length() && k < part.length()) {
      while (k > 0 && text.charAt(i) != part.charAt(k)) k = back[k - 1];
      if (text.charAt(i) == part.charAt(k)) k++;
      i++;
    }
    m.work((i - from + 1L) >> 2);
    return k == part.length() ? i - k : -1;
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
