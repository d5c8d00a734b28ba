package dev.superstep.retrieval.chunk;

import java.text.Normalizer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// The words of a text by which it is found, the same for every storage: runs of letters and digits
/// in small letters. Each character of scripts without spaces is a word of its own.
public final class Tokenizer {
  /// The number of characters of a word that are used.
  public static final int LENGTH_MAX = 64;

  private Tokenizer() {}

  /// The words of a text in their order.
  public static List<String> of(String text) {
    var plain = Normalizer.normalize(text, Normalizer.Form.NFKC).toLowerCase(Locale.ROOT);
    var words = new ArrayList<String>();
    int open = -1;
    for (int at = 0, width; at < plain.length(); at += width) {
      int point = plain.codePointAt(at);
      width = Character.charCount(point);
      if (isPart(point) && !isAlone(point)) {
        if (open < 0) open = at;
        continue;
      }
      if (open >= 0) words.add(cut(plain.substring(open, at)));
      open = -1;
      if (isAlone(point)) words.add(Character.toString(point));
    }
    if (open >= 0) words.add(cut(plain.substring(open)));
    return words;
  }

  private static boolean isPart(int point) {
    return switch (Character.getType(point)) {
      case Character.NON_SPACING_MARK, Character.COMBINING_SPACING_MARK -> true;
      default -> Character.isLetterOrDigit(point);
    };
  }

  private static boolean isAlone(int point) {
    return switch (Character.UnicodeScript.of(point)) {
      case HAN, HIRAGANA, KATAKANA, THAI, LAO, KHMER, MYANMAR -> Character.isLetterOrDigit(point);
      default -> false;
    };
  }

  private static String cut(String word) {
    if (word.length() <= LENGTH_MAX) return word;
    boolean isInsidePair = Character.isHighSurrogate(word.charAt(LENGTH_MAX - 1));
    return word.substring(0, isInsidePair ? LENGTH_MAX - 1 : LENGTH_MAX);
  }
}
