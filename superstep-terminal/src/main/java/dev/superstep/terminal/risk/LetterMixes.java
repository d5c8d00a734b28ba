package dev.superstep.terminal.risk;

import dev.superstep.language.Span;
import java.lang.Character.UnicodeScript;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// Words in which letters of two scripts look alike, such as a Cyrillic `а` among Latin letters,
/// and names of hosts that imitate Latin letters.
public final class LetterMixes {
  static final int LATIN = 1;
  static final int LOOKALIKE = 2;
  static final int BOTH = LATIN | LOOKALIKE;

  // Greek letters that look like Latin ones; others, such as mu and delta, do not.
  private static final String GREEK = "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧοορνικατυγ";
  private static final Pattern WORD = Pattern.compile("[^\\s\\x00-\\x1f]{1,256}");
  private static final Pattern HOST = Pattern.compile("\\.[a-z]{2,24}(?=$|[/:?#\"'`),;])");

  private LetterMixes() {}

  /// The words of a text that mix such letters.
  public static List<Span> in(String text) {
    var mixes = new ArrayList<Span>();
    if (text.chars().allMatch(c -> c < 0x80)) return mixes;
    var words = WORD.matcher(text);
    while (words.find()) {
      var word = words.group();
      if (word.chars().anyMatch(c -> c >= 0x80) && isMixed(word)) {
        mixes.add(new Span(words.start(), words.end()));
      }
    }
    return mixes;
  }

  private static boolean isMixed(String word) {
    int scripts = 0;
    boolean isAlike = false;
    for (int i = 0; i < word.length(); ) {
      int c = word.codePointAt(i);
      int script = script(c);
      isAlike |= script == LOOKALIKE;
      scripts = Character.isLetter(c) ? scripts | script : 0;
      if (scripts == BOTH) return true;
      i += Character.charCount(c);
    }
    return isAlike && HOST.matcher(word).find();
  }

  /// Returns whether a letter is Latin, or of another script with letters that look like it.
  static int script(int c) {
    if (UnicodeRules.isFullWidth(c)) return 0;
    var script = UnicodeScript.of(c);
    if (script == UnicodeScript.LATIN) return LATIN;
    if (script == UnicodeScript.GREEK) return GREEK.indexOf(c) >= 0 ? LOOKALIKE : 0;
    boolean isAlike =
        script == UnicodeScript.CYRILLIC
            || script == UnicodeScript.ARMENIAN
            || script == UnicodeScript.CHEROKEE
            || script == UnicodeScript.COPTIC
            || script == UnicodeScript.LISU;
    // Bold and script letters of mathematics count as common, and look like Latin ones.
    return isAlike || (c >= 0x1D400 && c <= 0x1D7FF) ? LOOKALIKE : 0;
  }
}
