package dev.superstep.repl.internal.builtin;

import dev.superstep.repl.internal.value.Bool;
import dev.superstep.repl.internal.value.Meter;
import dev.superstep.repl.internal.value.Repr;
import dev.superstep.repl.internal.value.Value;
import java.util.List;
import java.util.function.IntPredicate;

/// The methods of texts that answer a question about all characters.
final class StrTests {
  private StrTests() {}

  static List<Method> all() {
    return List.of(
        every("isdigit()", StrTests::isDigit),
        every("isdecimal()", c -> Character.getType(c) == Character.DECIMAL_DIGIT_NUMBER),
        every("isnumeric()", StrTests::isNumeric),
        every("isalpha()", Character::isLetter),
        every("isalnum()", c -> Character.isLetter(c) || isNumeric(c)),
        every("isspace()", StrTests::isSpace),
        new Method(
            "isascii()", (m, self, a) -> Bool.of(chars(m, self).chars().allMatch(c -> c < 128))),
        new Method(
            "isprintable()",
            (m, self, a) -> Bool.of(chars(m, self).codePoints().allMatch(Repr::isPrintable))),
        new Method(
            "isupper()", (m, self, a) -> Bool.of(cased(chars(m, self), Character::isLowerCase))),
        new Method(
            "islower()", (m, self, a) -> Bool.of(cased(chars(m, self), Character::isUpperCase))),
        new Method("istitle()", (m, self, a) -> Bool.of(isTitle(chars(m, self)))),
        new Method("isidentifier()", (m, self, a) -> Bool.of(isName(chars(m, self)))));
  }

  private static String chars(Meter m, Value self) {
    var text = Attributes.whole(m, self).text(m);
    m.work(text.length());
    return text;
  }

  private static Method every(String signature, IntPredicate test) {
    return new Method(
        signature,
        (m, self, a) -> {
          var text = chars(m, self);
          return Bool.of(!text.isEmpty() && text.codePoints().allMatch(test));
        });
  }

  private static boolean isDigit(int c) {
    return Character.isDigit(c) || "²³¹⁰⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉".indexOf(c) >= 0;
  }

  private static boolean isNumeric(int c) {
    int type = Character.getType(c);
    return type == Character.DECIMAL_DIGIT_NUMBER
        || type == Character.LETTER_NUMBER
        || type == Character.OTHER_NUMBER;
  }

  /// Returns whether Python counts a character as white space.
  static boolean isSpace(int c) {
    return (c >= 9 && c <= 13)
        || (c >= 0x1C && c <= 0x20)
        || c == 0x85
        || c == 0xA0
        || (c > 0xFF && Character.isSpaceChar(c));
  }

  private static boolean cased(String text, IntPredicate wrong) {
    boolean any =
        text.codePoints().anyMatch(c -> Character.isUpperCase(c) || Character.isLowerCase(c));
    return any && text.codePoints().noneMatch(c -> wrong.test(c) || Character.isTitleCase(c));
  }

  private static boolean isTitle(String text) {
    boolean inWord = false;
    boolean any = false;
    for (int c : text.codePoints().toArray()) {
      boolean upper = Character.isUpperCase(c) || Character.isTitleCase(c);
      boolean lower = Character.isLowerCase(c);
      if ((upper && inWord) || (lower && !inWord)) return false;
      inWord = upper || lower;
      any |= inWord;
    }
    return any;
  }

  private static boolean isName(String text) {
    return !text.isEmpty()
        && (text.charAt(0) == '_' || Character.isLetter(text.codePointAt(0)))
        && text.codePoints().allMatch(c -> c == '_' || Character.isLetterOrDigit(c));
  }
}
