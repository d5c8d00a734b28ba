package dev.superstep.language;

import java.util.Arrays;

/// A text to be read, and the name that people know it by. Lines end with `\n`, `\r\n` or a lone
/// `\r`. Immutable.
public final class Source {
  private final String name;
  private final String text;

  // Made when first asked for; two threads that make it at once make the same.
  private volatile Lines lines = Lines.NONE;

  /// The beginnings of the lines, and the bytes before each.
  private static final class Lines {
    static final Lines NONE = new Lines(new int[0], new long[0]);

    private final int[] starts;
    private final long[] bytes;

    Lines(int[] starts, long[] bytes) {
      this.starts = starts;
      this.bytes = bytes;
    }
  }

  private Source(String name, String text) {
    this.name = name;
    this.text = text;
  }

  /// Wraps a text.
  ///
  /// @param name usually a file's name; shown, never opened
  public static Source of(String name, String text) {
    return new Source(name, text);
  }

  public String name() {
    return name;
  }

  public String text() {
    return text;
  }

  /// The text of a span.
  public String text(Span span) {
    return text.substring(span.start(), span.end());
  }

  public int length() {
    return text.length();
  }

  /// The place of an offset.
  public Position position(int offset) {
    var known = lines();
    int line = lineIndex(known, offset);
    int start = known.starts[line];
    int column = text.codePointCount(start, offset) + 1;
    return new Position(known.bytes[line] + utf8(text, start, offset), line + 1, column);
  }

  /// The number of the line of an offset, from 1.
  public int line(int offset) {
    return lineIndex(lines(), offset) + 1;
  }

  /// The number of lines; an empty text has one.
  public int lineCount() {
    return lines().starts.length;
  }

  /// The span of a line, without what ends it.
  ///
  /// @param line from 1
  public Span lineSpan(int line) {
    var starts = lines().starts;
    int start = starts[line - 1];
    int end = line < starts.length ? starts[line] : text.length();
    while (end > start && isLineEnd(text.charAt(end - 1))) end--;
    return new Span(start, end);
  }

  /// The length of the text in UTF-8.
  public long bytes() {
    return utf8(text, 0, text.length());
  }

  private static int lineIndex(Lines known, int offset) {
    int found = Arrays.binarySearch(known.starts, offset);
    return found >= 0 ? found : -found - 2;
  }

  private Lines lines() {
    var known = lines;
    if (known.starts.length > 0) return known;
    known = scan();
    lines = known;
    return known;
  }

  private Lines scan() {
    var starts = new int[64];
    var bytes = new long[64];
    int count = 1;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (!isLineEnd(c)) continue;
      if (c == '\r' && i + 1 < text.length() && text.charAt(i + 1) == '\n') continue;
      if (count == starts.length) {
        starts = Arrays.copyOf(starts, 2 * count);
        bytes = Arrays.copyOf(bytes, 2 * count);
      }
      starts[count] = i + 1;
      bytes[count] = bytes[count - 1] + utf8(text, starts[count - 1], i + 1);
      count++;
    }
    return new Lines(Arrays.copyOf(starts, count), Arrays.copyOf(bytes, count));
  }

  private static boolean isLineEnd(char c) {
    return c == '\n' || c == '\r';
  }

  private static long utf8(String text, int from, int to) {
    long bytes = 0;
    for (int i = from; i < to; i++) {
      char c = text.charAt(i);
      if (c < 0x80) bytes++;
      else if (c < 0x800) bytes += 2;
      else if (Character.isHighSurrogate(c)
          && i + 1 < to
          && Character.isLowSurrogate(text.charAt(i + 1))) {
        bytes += 4;
        i++;
      } else bytes += 3;
    }
    return bytes;
  }

  @Override
  public String toString() {
    return "Source[" + name + ", " + text.length() + " characters]";
  }
}
