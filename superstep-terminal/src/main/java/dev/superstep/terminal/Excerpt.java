package dev.superstep.terminal;

/// The head and the tail of a text that is too long, with a mark between them that says how much is
/// missing. Characters are never cut in two.
///
/// @param isCut whether anything is missing
record Excerpt(String text, boolean isCut) {
  /// @param most how many `char`s of the text stay; the mark comes on top
  static Excerpt of(String text, int most) {
    if (text.length() <= most) return new Excerpt(text, false);
    int head = whole(text, most / 2);
    int tail = text.length() - (most - most / 2);
    if (tail < text.length() && Character.isLowSurrogate(text.charAt(tail))) tail++;
    int missing = tail - head;
    var mark = "\n[... %d characters cut ...]\n".formatted(missing);
    return new Excerpt(text.substring(0, head) + mark + text.substring(tail), true);
  }

  private static int whole(String text, int at) {
    return at > 0 && Character.isHighSurrogate(text.charAt(at - 1)) ? at - 1 : at;
  }
}
