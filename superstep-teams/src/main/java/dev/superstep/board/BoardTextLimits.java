package dev.superstep.board;

/// Length limits for texts, so that a whole board fits into one item of a store.
final class BoardTextLimits {
  static final int NAME_MAX = 200;
  static final int TEXT_MAX = 1_000;

  private BoardTextLimits() {}

  static String atMost(String what, String text, int most) {
    if (text.length() <= most) return text;
    throw new IllegalArgumentException(
        "%s must have at most %d characters, had %d".formatted(what, most, text.length()));
  }

  /// Who works or decides.
  static String name(String what, String text) {
    if (text.isBlank()) throw new IllegalArgumentException(what + " must not be blank");
    return atMost(what, text, NAME_MAX);
  }

  static String reason(String text) {
    if (text.isBlank()) throw new IllegalArgumentException("reason must not be blank");
    return atMost("reason", text, TEXT_MAX);
  }
}
