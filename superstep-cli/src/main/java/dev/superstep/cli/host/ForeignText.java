package dev.superstep.cli.host;

import java.lang.Character.UnicodeScript;
import java.text.Normalizer;
import java.util.Arrays;
import java.util.regex.Pattern;

/// Text by programs, models and mails, as shown where a person decides on it. Each line stands
/// behind a bar, and none is long enough for the terminal to wrap, so that it cannot pass for
/// output of this command. Invisible characters and lookalikes are spelled out.
public final class ForeignText {
  static final String BAR = "| ";
  private static final int WIDTH = 72;
  private static final int WIDTH_MIN = 10;
  private static final int WORD_MIN = 3;
  public static final String MARKED =
      "! Characters that cannot be seen, or look like others, are written as \\u....";
  private static final Pattern WORD = Pattern.compile("[\\p{L}\\p{M}\\p{Nd}]+");

  /// Cyrillic and Greek letters that look like Latin ones.
  private static final int[] LOOKALIKES =
      "\u0430\u0441\u0435\u043E\u0440\u0445\u0443\u0456\u0458\u0455\u04BB\u0501\u051B\u051D\u0475\u0410\u0412\u0415\u041A\u041C\u041D\u041E\u0420\u0421\u0422\u0425\u0423\u0406\u0408\u0405\u0391\u0392\u0395\u0396\u0397\u0399\u039A\u039C\u039D\u039F\u03A1\u03A4\u03A5\u03A7\u03B1\u03BF\u03C1\u03BD\u03C5\u03B9"
          .codePoints()
          .sorted()
          .toArray();

  private ForeignText() {}

  /// The text behind its bar, without a line break at its end.
  public static String framed(String text) {
    return framed(text, WIDTH);
  }

  /// The text behind its bar, for a terminal that may be narrower than usual.
  ///
  /// @param width how many cells are behind the bar, if fewer than usual
  public static String framed(String text, int width) {
    int room = Math.clamp(width, WIDTH_MIN, WIDTH);
    var framed = new StringBuilder();
    var plain = text.replace("\r\n", "\n").replace("\t", "    ");
    var marked = marked(plain);
    for (var line : marked.split("\\R", -1)) frame(line, room, framed);
    if (!marked.equals(plain)) frame(MARKED, room, framed);
    return framed.toString().stripTrailing();
  }

  private static void frame(String line, int room, StringBuilder into) {
    int width = 0;
    into.append(BAR);
    for (int at = 0; at < line.length(); at += Character.charCount(line.codePointAt(at))) {
      int c = line.codePointAt(at);
      int wide = isWide(c) ? 2 : 1;
      if (width + wide > room) {
        if (c == ' ') {
          into.append('\n').append(BAR);
          width = 0;
          continue;
        }
        // At the last blank, if there is one in the second half of the line.
        int end = into.length();
        int blank = into.lastIndexOf(" ") + 1;
        boolean isAtWord = blank > end - room / 2;
        into.insert(isAtWord ? blank : end, "\n" + BAR);
        width = isAtWord ? width(into, blank + 1 + BAR.length()) : 0;
      }
      into.appendCodePoint(c);
      width += wide;
    }
    into.append('\n');
  }

  private static int width(CharSequence text, int from) {
    return text.subSequence(from, text.length()).codePoints().map(c -> isWide(c) ? 2 : 1).sum();
  }

  private static boolean isWide(int c) {
    return c >= 0x1100 && !Character.UnicodeScript.of(c).equals(UnicodeScript.LATIN);
  }

  /// The text with invisible characters and lookalikes spelled out; line breaks stay. Also tabs and
  /// carriage returns are spelled out.
  public static String spelledOut(String text) {
    return marked(text);
  }

  private static String marked(String text) {
    var marked = new StringBuilder();
    var words = WORD.matcher(text);
    int end = 0;
    while (words.find()) {
      plain(text.substring(end, words.start()), marked);
      word(words.group(), marked);
      end = words.end();
    }
    plain(text.substring(end), marked);
    return marked.toString();
  }

  private static void word(String word, StringBuilder into) {
    boolean isMixed = hasLatin(word) && word.codePoints().anyMatch(ForeignText::isNear);
    boolean isImitation =
        word.codePointCount(0, word.length()) >= WORD_MIN
            && word.codePoints().allMatch(ForeignText::looksLatin);
    word.codePoints()
        .forEach(c -> {
          if ((isMixed && isNear(c)) || isImitation) spell(c, into);
          else plain(c, into);
        });
  }

  private static boolean hasLatin(String word) {
    return word.codePoints().anyMatch(c -> UnicodeScript.of(c) == UnicodeScript.LATIN);
  }

  /// Returns true for scripts whose letters never stand beside Latin ones in a word.
  private static boolean isNear(int c) {
    return switch (UnicodeScript.of(c)) {
      case CYRILLIC, GREEK, ARMENIAN, CHEROKEE, COPTIC, LISU, DESERET, GEORGIAN -> true;
      default -> false;
    };
  }

  private static boolean looksLatin(int c) {
    return Arrays.binarySearch(LOOKALIKES, c) >= 0;
  }

  private static void plain(String text, StringBuilder into) {
    text.codePoints().forEach(c -> plain(c, into));
  }

  private static void plain(int c, StringBuilder into) {
    if (c == '\n') into.append('\n');
    else if (isUnseen(c) || isStyled(c)) spell(c, into);
    else into.appendCodePoint(c);
  }

  /// Returns true if a character is invisible, or a terminal acts on it.
  public static boolean isUnseen(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED ->
          true;
      case Character.SPACE_SEPARATOR -> c != ' ';
      default -> isFiller(c);
    };
  }

  /// Letters and marks that nothing is drawn for.
  private static boolean isFiller(int c) {
    return c == 0x034F
        || c == 0x115F
        || c == 0x1160
        || c == 0x17B4
        || c == 0x17B5
        || (c >= 0x180B && c <= 0x180F)
        || c == 0x2800
        || c == 0x3164
        || (c >= 0xFE00 && c <= 0xFE0F)
        || c == 0xFFA0
        || (c >= 0xE0100 && c <= 0xE01EF);
  }

  /// A letter or digit of ASCII in another dress: wide, bold, in a circle.
  private static boolean isStyled(int c) {
    if (c < 0x80) return false;
    var folded = Normalizer.normalize(Character.toString(c), Normalizer.Form.NFKC);
    return folded.length() == 1
        && folded.charAt(0) < 0x80
        && Character.isLetterOrDigit(folded.charAt(0));
  }

  private static void spell(int c, StringBuilder into) {
    into.append("\\u%04x".formatted(c));
  }
}
