package dev.superstep.middleware;

/// Long texts made short.
final class Excerpt {
  private Excerpt() {}

  /// The beginning and the end of a text, and how much is missing between; the text itself if it
  /// has no more than `most` characters.
  static String headAndTail(String text, int most) {
    if (text.length() <= most) return text;
    int head = whole(text, most - most / 3);
    int tail = whole(text, text.length() - most / 3);
    var between = "\n[... %d characters left out ...]\n".formatted(tail - head);
    return text.substring(0, head) + between + text.substring(tail);
  }

  /// A place that does not split a character.
  static int whole(String text, int at) {
    boolean splits =
        at > 0
            && at < text.length()
            && Character.isLowSurrogate(text.charAt(at))
            && Character.isHighSurrogate(text.charAt(at - 1));
    return splits ? at - 1 : at;
  }
}
