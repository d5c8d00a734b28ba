package dev.superstep.language;

/// A part of a [Source]: from one offset up to another, in `char`s. Lines, columns and bytes are
/// the source's to tell: [Source#position]. Immutable.
///
/// @param start 0 or more
/// @param end at least `start`; not part of the span
public record Span(int start, int end) {
  /// The very beginning of a source.
  public static final Span BEGINNING = new Span(0, 0);

  public Span {
    if (start < 0 || end < start) {
      throw new IllegalArgumentException("span must go forward, was " + start + " to " + end);
    }
  }

  /// Returns the span from the start of this one to the end of another.
  public Span to(Span last) {
    return new Span(Math.min(start, last.start), Math.max(end, last.end));
  }

  public int length() {
    return end - start;
  }

  /// Returns whether an offset is in the span, or right behind it.
  public boolean touches(int offset) {
    return start <= offset && offset <= end;
  }
}
