package dev.superstep.repl.host;

import java.util.Arrays;

/// A text in memory, with the offset of each 256th code point. Immutable.
final class PlainText implements TextSource {
  private static final int STEP = 256;

  private final String text;
  private final int length;
  private final int[] offsets;

  PlainText(String text) {
    this.text = text;
    this.length = text.codePointCount(0, text.length());
    this.offsets = length == text.length() ? new int[0] : sample(text);
  }

  private static int[] sample(String text) {
    var offsets = new int[text.length() / STEP + 1];
    int points = 0;
    for (int i = 0; i < text.length(); points++) {
      if (points % STEP == 0) offsets[points / STEP] = i;
      i += Character.charCount(text.codePointAt(i));
    }
    return Arrays.copyOf(offsets, points / STEP + 1);
  }

  @Override
  public long length() {
    return length;
  }

  @Override
  public String read(long from, long to) {
    if (from < 0 || to < from || to > length) {
      throw new IndexOutOfBoundsException(from + " to " + to + " of " + length);
    }
    return text.substring(offset((int) from), offset((int) to));
  }

  private int offset(int point) {
    if (offsets.length == 0) return point;
    if (point == length) return text.length();
    return text.offsetByCodePoints(offsets[point / STEP], point % STEP);
  }
}
