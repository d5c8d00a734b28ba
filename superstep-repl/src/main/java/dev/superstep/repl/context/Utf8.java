package dev.superstep.repl.context;

/// The shape of UTF-8.
final class Utf8 {
  private Utf8() {}

  /// The number of bytes of the code point at a place; 0 if there is none, -1 if it may go on
  /// behind the end.
  static int width(byte[] raw, int at, int end) {
    int first = raw[at];
    if (first >= 0) return 1;
    int width =
        (first & 0xE0) == 0xC0 ? 2 : (first & 0xF0) == 0xE0 ? 3 : (first & 0xF8) == 0xF0 ? 4 : 0;
    if (width == 0 || (first & 0xFE) == 0xC0) return 0;
    for (int i = 1; i < width; i++) {
      if (at + i >= end) return -1;
      if ((raw[at + i] & 0xC0) != 0x80) return 0;
    }
    return isCharacter(raw, at, width) ? width : 0;
  }

  private static boolean isCharacter(byte[] raw, int at, int width) {
    int second = raw[at + 1] & 0xFF;
    return switch (raw[at] & 0xFF) {
      case 0xE0 -> second >= 0xA0;
      case 0xED -> second < 0xA0;
      case 0xF0 -> second >= 0x90;
      case 0xF4 -> second < 0x90;
      default -> width < 4 || (raw[at] & 0xFF) < 0xF4;
    };
  }
}
