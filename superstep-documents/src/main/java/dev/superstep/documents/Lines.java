package dev.superstep.documents;

/// A range of lines, counted from 1. Immutable.
///
/// @param first the first line
/// @param last the last line, which belongs to the range
public record Lines(int first, int last) {
  /// @throws IllegalArgumentException if the range is empty or begins before line 1
  public Lines {
    if (first < 1 || last < first) {
      throw new IllegalArgumentException(
          "lines must be 1 or more and in order, were %d to %d".formatted(first, last));
    }
  }
}
