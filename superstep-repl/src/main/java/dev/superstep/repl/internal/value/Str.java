package dev.superstep.repl.internal.value;

import org.jspecify.annotations.Nullable;

/// A text, indexed by code points. Holds no lone surrogate. Texts made by appending share a buffer,
/// so that building a text piece by piece takes time in proportion to its length.
public final class Str extends Value {
  public static final Str EMPTY = new Str("");

  private static final Str[] LATIN = latin();
  private static final int SHARED_LEAST = 192;
  private static final int STEP = 64;

  private @Nullable String text;
  private @Nullable StringBuilder buffer;
  private final int length;
  private int points;
  private int @Nullable [] offsets;

  public Str(String text) {
    this.text = text;
    this.length = text.length();
    this.points = -1;
  }

  private Str(StringBuilder buffer, int length, int points) {
    this.buffer = buffer;
    this.length = length;
    this.points = points;
  }

  private static Str[] latin() {
    var all = new Str[256];
    for (int i = 0; i < all.length; i++) all[i] = new Str(String.valueOf((char) i));
    return all;
  }

  /// A text of a single code point.
  public static Str ofPoint(int point) {
    return point < 256 ? LATIN[point] : new Str(Character.toString(point));
  }

  /// A text, counted as memory.
  public static Str of(Meter m, String text) {
    int length = text.length();
    if (length == 0) return EMPTY;
    if (length == 1 && text.charAt(0) < 256) return LATIN[text.charAt(0)];
    m.charge(48 + 2L * length);
    return new Str(text);
  }

  /// The characters. Flattens a text that shares a buffer, which counts as memory.
  public String text(Meter m) {
    var flat = text;
    if (flat != null) return flat;
    m.charge(2L * length);
    m.work(length);
    flat = shared().substring(0, length);
    text = flat;
    return flat;
  }

  /// The characters of a text that stands in a source.
  public String written() {
    var known = text;
    if (known == null) throw new IllegalStateException("a program made this text");
    return known;
  }

  private StringBuilder shared() {
    var found = buffer;
    if (found == null) throw new IllegalStateException("a text has characters or a buffer");
    return found;
  }

  /// The number of `char`s.
  public int chars() {
    return length;
  }

  /// The number of code points.
  public int length() {
    int known = points;
    if (known < 0) {
      var flat = text;
      known =
          flat == null
              ? Character.codePointCount(shared(), 0, length)
              : flat.codePointCount(0, length);
      points = known;
    }
    return known;
  }

  /// A text after another.
  public static Str concat(Meter m, Str a, Str b) {
    if (b.length == 0) return a;
    if (a.length == 0) return b;
    long both = (long) a.length + b.length;
    if (both < SHARED_LEAST && a.text != null && b.text != null) {
      m.charge(48 + 2 * both);
      return new Str(a.text + b.text);
    }
    if (both > Integer.MAX_VALUE / 4) m.charge(Long.MAX_VALUE / 4);
    var buffer = a.buffer;
    if (buffer == null || buffer.length() != a.length) {
      m.charge(48 + 4 * both);
      m.work(a.length);
      buffer = new StringBuilder((int) (2 * both));
      if (a.text != null) buffer.append(a.text);
      else buffer.append(a.shared(), 0, a.length);
    } else {
      m.charge(48);
      if (both > buffer.capacity()) {
        m.charge(4 * both);
        m.work(a.length);
        buffer.ensureCapacity((int) (2 * both));
      }
    }
    m.work(b.length);
    int points = a.length() + b.length();
    if (b.text != null) buffer.append(b.text);
    else buffer.append(b.shared(), 0, b.length);
    return new Str(buffer, (int) both, points);
  }

  /// The code point at a position that is in range.
  public int pointAt(Meter m, int index) {
    if (length() == length) {
      var flat = text;
      return flat != null ? flat.charAt(index) : shared().charAt(index);
    }
    var flat = text(m);
    return flat.codePointAt(offset(flat, index));
  }

  /// The part between two positions that are in range and in order.
  public Str part(Meter m, int from, int to) {
    if (from == 0 && to == length()) return this;
    if (from >= to) return EMPTY;
    if (to - from == 1) return ofPoint(pointAt(m, from));
    m.work(to - from);
    var flat = text(m);
    if (length() == length) return of(m, flat.substring(from, to));
    return of(m, flat.substring(offset(flat, from), offset(flat, to)));
  }

  /// The offset in `char`s of a position in code points.
  public int offset(Meter m, int index) {
    return length() == length ? index : offset(text(m), index);
  }

  /// The position in code points of an offset in `char`s.
  public int point(Meter m, int offset) {
    return length() == length ? offset : text(m).codePointCount(0, offset);
  }

  private int offset(String flat, int index) {
    if (index >= length()) return length;
    var known = offsets;
    if (known == null) {
      known = new int[length() / STEP + 1];
      int at = 0;
      for (int i = 0; i < length(); i++) {
        if (i % STEP == 0) known[i / STEP] = at;
        at += Character.charCount(flat.codePointAt(at));
      }
      offsets = known;
    }
    return flat.offsetByCodePoints(known[index / STEP], index % STEP);
  }

  /// The bytes that it keeps reachable, without its buffer.
  long ownBytes() {
    return 48 + (text == null ? 0 : 2L * length);
  }

  /// Its buffer, which other texts may share.
  @Nullable StringBuilder buffer() {
    return buffer;
  }

  boolean sameAs(Meter m, Str other) {
    if (this == other) return true;
    if (length != other.length) return false;
    m.work(length);
    return text(m).equals(other.text(m));
  }

  @Override
  public String typeName() {
    return "str";
  }
}
