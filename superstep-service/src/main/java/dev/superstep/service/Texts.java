package dev.superstep.service;

import java.util.Comparator;
import java.util.Locale;

/// Texts as all databases keep, order and fold them.
final class Texts {
  /// By the numbers of their characters, as databases order the bytes of UTF-8.
  static final Comparator<String> ORDER = Texts::compare;

  private Texts() {}

  /// Returns true if every database can keep a text: no U+0000, and no half of a character.
  static boolean isStorable(String text) {
    int at = 0;
    while (at < text.length()) {
      int point = text.codePointAt(at);
      // A half stands for itself.
      boolean isHalf = point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE;
      if (point == 0 || isHalf) return false;
      at += Character.charCount(point);
    }
    return true;
  }

  /// A text in which the case of letters does not count. Upper case first, since some letters have
  /// two lower ones.
  static String folded(String text) {
    return text.toUpperCase(Locale.ROOT).toLowerCase(Locale.ROOT);
  }

  private static int compare(String a, String b) {
    int most = Math.min(a.length(), b.length());
    for (int i = 0; i < most; i++) {
      char left = a.charAt(i);
      char right = b.charAt(i);
      if (left == right) continue;
      // A character beyond U+FFFF is two surrogates, whose numbers are lower than others' that
      // come before it.
      boolean isLeftPair = Character.isSurrogate(left);
      boolean isRightPair = Character.isSurrogate(right);
      if (isLeftPair != isRightPair) return isLeftPair ? 1 : -1;
      return Character.compare(left, right);
    }
    return Integer.compare(a.length(), b.length());
  }
}
