package dev.superstep.repl;

import dev.superstep.repl.internal.syntax.Draft;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/// A cell that is being typed, for hosts that let people type: whether more lines belong to it, and
/// of what it consists. Immutable.
public final class TypedText {
  private static final Pattern CONTINUED =
      Pattern.compile("(elif|else|except|finally)\\b.*", Pattern.DOTALL);

  private final String text;
  private final Draft draft;

  private TypedText(String text) {
    this.text = text;
    this.draft = Draft.of(text);
  }

  /// A text as it is now.
  public static TypedText of(String text) {
    return new TypedText(text);
  }

  /// A part of the text, by its UTF-16 offsets.
  public record Part(int start, int end, Sort sort) {}

  /// The sorts of parts.
  public enum Sort {
    KEYWORD,
    NAME,
    NUMBER,
    STRING,
    COMMENT,
    OPERATOR
  }

  /// The parts in their order, without blanks.
  public List<Part> parts() {
    return draft.parts().stream()
        .map(part -> new Part(part.start(), part.end(), Sort.valueOf(part.sort().name())))
        .toList();
  }

  /// Returns whether a person at a prompt has more to type: a bracket or a text is open, or a block
  /// was begun and no empty line ends it.
  public boolean isUnfinished() {
    if (draft.isOpen() || draft.isHeader()) return true;
    var lines = text.split("\n", -1);
    var last = lines[lines.length - 1];
    return !last.isBlank() && isBlank(last.charAt(0)) && lines.length > 1;
  }

  /// Returns whether the text is a whole statement if this line comes next, in input that nobody
  /// types: a block ends where a line begins at the left, and is no `else` or `except` of it.
  public boolean endsBefore(String line) {
    if (draft.isOpen()) return false;
    if (!draft.isBlock()) return true;
    if (line.isBlank() || isBlank(line.charAt(0)) || line.startsWith("#")) return false;
    return !CONTINUED.matcher(line).matches();
  }

  /// Returns whether it is a whole statement, whatever follows.
  public boolean isStatement() {
    return !draft.isOpen() && !draft.isBlock();
  }

  private static boolean isBlank(char c) {
    return c == ' ' || c == '\t';
  }

  /// The words of the language that are no names.
  public static Set<String> keywords() {
    return Draft.keywords();
  }

  @Override
  public String toString() {
    return "TypedText[" + text.length() + " characters]";
  }
}
