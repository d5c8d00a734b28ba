package dev.superstep.terminal.shell;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// Parses the inside of `[[ ]]`. One thread at a time.
final class ConditionParser {
  private static final Set<String> BINARY =
      Set.of("=", "==", "!=", "=~", "-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-nt", "-ot", "-ef");

  private final Cursor cursor;
  private final WordParser words;

  ConditionParser(Cursor cursor, WordParser words) {
    this.cursor = cursor;
    this.words = words;
  }

  /// Reads up to and with `]]`; returns the operands.
  List<Word> condition() {
    var operands = new ArrayList<Word>();
    alternatives(operands);
    if (!atClose()) throw cursor.error("`]]` is missing");
    cursor.skip(2);
    return operands;
  }

  private void alternatives(List<Word> operands) {
    cursor.enter();
    do {
      all(operands);
    } while (cursor.take("||"));
    cursor.leave();
  }

  private void all(List<Word> operands) {
    do {
      negated(operands);
      cursor.skipLines();
    } while (cursor.take("&&"));
  }

  private void negated(List<Word> operands) {
    cursor.skipLines();
    while (cursor.peek() == '!' && isBlank(cursor.peek(1))) {
      cursor.skip(1);
      cursor.skipLines();
    }
    if (cursor.take("(")) {
      alternatives(operands);
      if (!cursor.take(")")) throw cursor.error("`)` is missing");
    } else {
      test(operands);
    }
  }

  private void test(List<Word> operands) {
    if (atClose()) throw cursor.error("a condition is missing");
    var first = words.word();
    operands.add(first);
    cursor.skipLines();
    if (isOver()) return;
    if (cursor.peek() == '<' || cursor.peek() == '>') {
      cursor.skip(1);
      operand(operands);
      return;
    }
    int before = cursor.position();
    var second = words.word();
    var operator = second.literal().orElse("");
    if (!BINARY.contains(operator)) {
      if (!isUnary(first)) {
        cursor.moveTo(before);
        throw cursor.error("an operator is missing in `[[ ]]`");
      }
      operands.add(second);
      return;
    }
    cursor.skipBlanks();
    if (operator.equals("=~")) operands.add(words.regularExpression());
    else operand(operands);
  }

  private void operand(List<Word> operands) {
    cursor.skipLines();
    if (isOver()) throw cursor.error("an operand is missing in `[[ ]]`");
    operands.add(words.word());
  }

  private static boolean isUnary(Word word) {
    var text = word.literal().orElse("");
    return text.length() == 2 && text.charAt(0) == '-' && Character.isLetter(text.charAt(1));
  }

  private boolean isOver() {
    return cursor.atEnd()
        || cursor.peek() == ')'
        || cursor.at("&&")
        || cursor.at("||")
        || atClose();
  }

  private boolean atClose() {
    return cursor.at("]]") && CompoundParser.isDelimiter(cursor.peek(2));
  }

  private static boolean isBlank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '(';
  }
}
