package dev.superstep.terminal.shell;

/// Decodes `$'...'`.
final class AnsiQuotes {
  private static final String NAMES = "abeEfnrtv\\'\"?";
  private static final String VALUES = "\u0007\b\u001B\u001B\f\n\r\t\u000B\\'\"?";

  private AnsiQuotes() {}

  /// Reads up to the closing quote, with the cursor behind the opening one.
  static void read(Cursor cursor, WordBuilder builder) {
    builder.quoted(cursor.position(), cursor.position());
    while (cursor.peek() != '\'') {
      if (cursor.atEnd()) throw cursor.error("`$'` is not closed");
      if (cursor.peek() == '\\') escape(cursor, builder);
      else builder.character(true);
    }
    cursor.skip(1);
  }

  private static void escape(Cursor cursor, WordBuilder builder) {
    char c = cursor.peek(1);
    int named = NAMES.indexOf(c);
    if (named >= 0) {
      builder.escaped(2, String.valueOf(VALUES.charAt(named)));
      return;
    }
    switch (c) {
      case 'x' -> number(cursor, builder, 2, 2, 16);
      case 'u' -> number(cursor, builder, 2, 4, 16);
      case 'U' -> number(cursor, builder, 2, 8, 16);
      case '0', '1', '2', '3', '4', '5', '6', '7' -> number(cursor, builder, 1, 3, 8);
      case 'c' -> {
        if (cursor.peek(2) == '\'' || cursor.peek(2) == Cursor.END) builder.character(true);
        else builder.escaped(3, String.valueOf((char) (cursor.peek(2) & 0x1F)));
      }
      default -> builder.character(true);
    }
  }

  private static void number(Cursor cursor, WordBuilder builder, int from, int most, int radix) {
    int value = 0;
    int length = from;
    while (length < from + most) {
      int digit = Character.digit(cursor.peek(length), radix);
      if (digit < 0 || cursor.peek(length) > 'f') break;
      value = value * radix + digit;
      length++;
    }
    if (length == from) {
      builder.character(true);
      return;
    }
    if (radix == 8) value &= 0xFF;
    // The shell ends the text at a zero byte; nobody writes that in good faith.
    if (value == 0 || !Character.isValidCodePoint(value)) throw cursor.error("no such character");
    builder.escaped(length, Character.toString(value));
  }
}
