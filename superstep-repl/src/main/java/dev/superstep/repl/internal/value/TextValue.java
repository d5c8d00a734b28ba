package dev.superstep.repl.internal.value;

import dev.superstep.repl.host.TextSource;

/// A view of a large text of the host: what it shows is read when it is needed.
public final class TextValue extends Value {
  /// The code points that are read at once.
  public static final int WINDOW = 65_536;

  private final TextSource source;
  private final long from;
  private final long to;

  public TextValue(TextSource source, long from, long to) {
    this.source = source;
    this.from = from;
    this.to = to;
  }

  public long length() {
    return to - from;
  }

  public TextSource source() {
    return source;
  }

  public long from() {
    return from;
  }

  /// A view of a part of it.
  public TextValue view(Meter m, long start, long end) {
    m.charge(48);
    return new TextValue(source, from + start, from + end);
  }

  /// The characters of a part; counts operations and memory.
  public String read(Meter m, long start, long end) {
    long size = end - start;
    m.charge(2 * size);
    if (size <= WINDOW) return piece(m, start, end);
    var all = new StringBuilder((int) Math.min(size, 1 << 24));
    for (long at = start; at < end; at += WINDOW) {
      all.append(piece(m, at, Math.min(end, at + WINDOW)));
    }
    return all.toString();
  }

  /// The characters of a part of at most [#WINDOW] code points; counts operations only.
  public String piece(Meter m, long start, long end) {
    m.tick(1 + ((end - start) >> 10));
    return wellFormed(source.read(from + start, from + end));
  }

  /// A text with U+FFFD for each lone surrogate.
  public static String wellFormed(String text) {
    int at = lone(text, 0);
    if (at < 0) return text;
    var fixed = new StringBuilder(text);
    for (; at >= 0; at = lone(text, at + 1)) fixed.setCharAt(at, '\uFFFD');
    return fixed.toString();
  }

  private static int lone(String text, int from) {
    int i = from;
    while (i < text.length()) {
      int c = text.codePointAt(i);
      if (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE) return i;
      i += Character.charCount(c);
    }
    return -1;
  }

  @Override
  public String typeName() {
    return "Text";
  }
}
