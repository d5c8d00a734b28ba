package dev.superstep.model;

/// Shortens text for messages and files.
final class Excerpts {
  private Excerpts() {}

  /// The beginning of a text, on one line, with a sign where something is left out.
  static String of(String text, int max) {
    var line = text.strip().replaceAll("\\s+", " ");
    if (line.length() <= max) return line;
    int end = Character.isHighSurrogate(line.charAt(max - 1)) ? max - 1 : max;
    return line.substring(0, end) + "… (" + line.length() + " characters)";
  }
}
