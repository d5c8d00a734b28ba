package dev.superstep.lobe;

/// A working note of a lobe. Immutable.
///
/// @param round in which it was made
/// @param lobe who made it
public record Note(long round, String lobe, String text) {
  /// The largest number of characters in a note.
  public static final int TEXT_MAX = 2_000;

  public Note {
    if (text.isBlank()) throw new IllegalArgumentException("text must not be blank");
    if (text.length() > TEXT_MAX) {
      throw new IllegalArgumentException(
          "text must have at most " + TEXT_MAX + " characters, had " + text.length());
    }
  }
}
