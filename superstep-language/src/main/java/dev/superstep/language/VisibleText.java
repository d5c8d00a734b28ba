package dev.superstep.language;

/// Makes text from outside harmless to show. Models, programs, mails and file names may hold escape
/// sequences that move the cursor, hide what follows, write to the clipboard or ask the terminal
/// for an answer that then looks typed; and characters that nobody sees. Each such character is
/// shown as its number, such as `<U+001B>`.
///
/// [#of] is for prose, [#exact] for what somebody approves: a command, a path, a rule.
public final class VisibleText {
  private static final int ZERO_WIDTH_JOINER = 0x200D;
  private static final int EMOJI_STYLE = 0xFE0F;

  private VisibleText() {}

  /// Shows prose: all on which a terminal would act is spelled out, but line breaks and tabs;
  /// joiners of emoji and of scripts, and spaces that are not plain ones, stay.
  public static String of(String text) {
    return show(text, false);
  }

  /// Shows prose on one line.
  public static String line(String text) {
    return of(text.strip().replaceAll("\\s*\\R\\s*", " ").replace('\t', ' '));
  }

  /// Shows what must be read as it is: also every space that is not a plain one, every joiner
  /// outside an emoji, and every blank letter is spelled out. Line breaks and tabs stay.
  public static String exact(String text) {
    return show(text, true);
  }

  /// Shows what must be read as it is on one line: also line breaks and tabs are spelled out.
  public static String exactLine(String text) {
    return exact(text).replace("\n", mark('\n')).replace("\t", mark('\t'));
  }

  /// Returns whether [#exact] would show a character as its number, wherever it stands but between
  /// emoji.
  public static boolean isUnseen(int codePoint) {
    if (codePoint == '\n' || codePoint == '\t' || codePoint == ' ') return false;
    return acts(codePoint) || codePoint == ZERO_WIDTH_JOINER || isBlank(codePoint);
  }

  private static String show(String text, boolean isExact) {
    var shown = new StringBuilder(text.length());
    int before = ' ';
    for (int i = 0; i < text.length(); ) {
      int c = text.codePointAt(i);
      i += Character.charCount(c);
      int next = i < text.length() ? text.codePointAt(i) : ' ';
      if (isShown(c, before, next, isExact)) shown.appendCodePoint(c);
      else shown.append(mark(c));
      before = c;
    }
    return shown.toString();
  }

  private static boolean isShown(int c, int before, int next, boolean isExact) {
    if (c == '\n' || c == '\t') return true;
    if (c == ZERO_WIDTH_JOINER) return !isExact || (isEmojiPart(before) && isEmojiPart(next));
    if (c == EMOJI_STYLE) return Character.isEmoji(before);
    return !acts(c) && !(isExact && isBlank(c));
  }

  private static boolean isEmojiPart(int c) {
    return c == EMOJI_STYLE || Character.isExtendedPictographic(c) || Character.isEmojiModifier(c);
  }

  /// A terminal, or what draws letters, does something with it other than to show it.
  private static boolean acts(int c) {
    if (c == ZERO_WIDTH_JOINER) return false;
    return CodePoints.isHidden(c) || isSelector(c) || (c >= 0xE0000 && c <= 0xE0FFF);
  }

  private static boolean isSelector(int c) {
    return (c >= 0xFE00 && c <= 0xFE0F) || (c >= 0x180B && c <= 0x180F) || c == 0x17B4 || c == 0x17B5;
  }

  /// It looks like a space, or like nothing, and is something else; or each font shows it as it
  /// likes.
  private static boolean isBlank(int c) {
    return switch (Character.getType(c)) {
      case Character.SPACE_SEPARATOR -> c != ' ';
      case Character.PRIVATE_USE -> true;
      default -> c == 0x1160 || c == 0xFFA0 || c == 0x2800;
    };
  }

  private static String mark(int c) {
    return "<" + CodePoints.show(c) + ">";
  }
}
