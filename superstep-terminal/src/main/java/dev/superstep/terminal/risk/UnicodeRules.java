package dev.superstep.terminal.risk;

import dev.superstep.language.CodePoints;
import dev.superstep.language.Source;
import dev.superstep.language.Span;
import java.lang.Character.UnicodeScript;

/// Finds characters that make a command look like another one. Letters of any language are fine as
/// arguments; what hides, turns or imitates is not. One thread at a time.
final class UnicodeRules {
  // Look like `-`, `/`, `;`, `|`, `.`, `:`, `$`, `&`, `~`, `\` or `*`.
  private static final String LOOKALIKES =
      "\u2212\u2044\u2215\u29F8\u037E\u2223\u01C0\u2024\uA789\u2236\u223C\u2216\u29F5\u2217\u02D0\u205A\uA4FD";
  private static final String DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\uFE58\uFE63";

  private final Report report;

  UnicodeRules(Report report) {
    this.report = report;
  }

  void check(Source source) {
    var text = source.text();
    int start = 0;
    boolean isPlain = true;
    for (int i = 0; i <= text.length(); i++) {
      char c = i < text.length() ? text.charAt(i) : ' ';
      if (c == ' ' || c == '\t' || c == '\n') {
        if (!isPlain) token(text, start, i);
        start = i + 1;
        isPlain = true;
      } else if (c < 0x20 || c > 0x7E) {
        isPlain = false;
      }
    }
  }

  private void token(String text, int start, int end) {
    boolean isAsian = text.substring(start, end).codePoints().anyMatch(UnicodeRules::isAsian);
    int scripts = 0;
    for (int i = start; i < end; ) {
      int c = text.codePointAt(i);
      int next = i + Character.charCount(c);
      var span = new Span(i, next);
      if (CodePoints.isHidden(c) && !joinsVisibly(text, i)) {
        report(span, c, "hidden-character", "is not visible, or turns the text around it");
      } else if (Character.isSpaceChar(c)) {
        report(span, c, "foreign-blank", "looks like a blank and is none to the shell");
      } else if (isFullWidth(c) && !isAsian) {
        report(span, c, "fullwidth", "is a wide form of an ASCII character");
      } else if (LOOKALIKES.indexOf(c) >= 0
          || (DASHES.indexOf(c) >= 0 && i == start && next < end)) {
        report(span, c, "lookalike", "looks like a sign of the shell and is none");
      } else if (c == 0x2018 || c == 0x2019 || c == 0x201C || c == 0x201D) {
        report.medium(
            RiskAxis.OPAQUE,
            "typographic-quote",
            span,
            CodePoints.show(c) + " looks like a quote and does not quote.");
      }
      scripts = Character.isLetter(c) ? scripts | LetterMixes.script(c) : 0;
      if (scripts == LetterMixes.BOTH) {
        report(span, c, "mixed-letters", "is of another script than the letters beside it");
      }
      i = next;
    }
  }

  private void report(Span span, int c, String code, String what) {
    report.high(RiskAxis.OPAQUE, code, span, CodePoints.show(c) + " " + what + ".");
  }

  static boolean isFullWidth(int c) {
    return (c >= 0xFF01 && c <= 0xFF5E) || (c >= 0xFE50 && c <= 0xFE6B);
  }

  private static boolean isAsian(int c) {
    var script = UnicodeScript.of(c);
    return script == UnicodeScript.HAN
        || script == UnicodeScript.HIRAGANA
        || script == UnicodeScript.KATAKANA
        || script == UnicodeScript.HANGUL;
  }

  // Zero-width joiners belong to emoji, and to letters of Arabic and Indic scripts.
  private static boolean joinsVisibly(String text, int at) {
    int c = text.codePointAt(at);
    boolean isJoiner = c == 0x200D || c == 0x200C;
    if (!isJoiner || at == 0 || at + 1 >= text.length()) return false;
    int before = text.codePointBefore(at);
    int after = text.codePointAt(at + 1);
    boolean isEmoji =
        Character.isExtendedPictographic(after)
            && (Character.isExtendedPictographic(before)
                || before == 0xFE0F
                || Character.isEmojiModifier(before));
    return isEmoji || (isJoining(before) && isJoining(after));
  }

  private static boolean isJoining(int c) {
    return switch (UnicodeScript.of(c)) {
      case ARABIC, DEVANAGARI, BENGALI, TAMIL, TELUGU, KANNADA, MALAYALAM, SINHALA, GUJARATI ->
          true;
      default -> false;
    };
  }
}
