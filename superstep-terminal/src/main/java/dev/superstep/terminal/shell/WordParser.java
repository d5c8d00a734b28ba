package dev.superstep.terminal.shell;

import java.util.List;

/// Parses words: quotes, escapes, patterns, braces. One thread at a time.
final class WordParser {
  private static final String ESCAPED_IN_QUOTES = "$`\"\\";

  private final Cursor cursor;
  private final ExpansionParser expansions;

  WordParser(Cursor cursor) {
    this.cursor = cursor;
    this.expansions = new ExpansionParser(cursor, this);
  }

  ExpansionParser expansions() {
    return expansions;
  }

  static boolean isNameChar(char c) {
    return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || isDigit(c);
  }

  static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  /// Returns whether `<( )` or `>( )` begins here, which is a word and no redirection.
  boolean startsProcess() {
    return (cursor.peek() == '<' || cursor.peek() == '>') && cursor.peek(1) == '(';
  }

  /// Reads a word of at least one character.
  Word word() {
    int start = cursor.position();
    var word = value();
    if (cursor.position() == start) throw cursor.error("a word is missing");
    return word;
  }

  /// Reads a word that may be empty.
  Word value() {
    int start = cursor.position();
    var builder = new WordBuilder(cursor, true);
    tilde(builder);
    while (!cursor.atEnd()) {
      if (startsProcess()) {
        builder.part(expansions.process());
      } else if (isExtendedGlob()) {
        extendedGlob(builder);
      } else if (CompoundParser.isDelimiter(cursor.peek())) {
        break;
      } else {
        unquoted(builder);
      }
    }
    return builder.word(start);
  }

  private void tilde(WordBuilder builder) {
    if (cursor.peek() != '~') return;
    int length = 1;
    while (isNameChar(cursor.peek(length)) || "-+.".indexOf(cursor.peek(length)) >= 0) length++;
    char after = cursor.peek(length);
    if (after != '/' && after != ':' && !CompoundParser.isDelimiter(after)) return;
    int start = cursor.position();
    var user = cursor.text(start + 1, start + length);
    cursor.skip(length);
    builder.part(new WordPart.Tilde(user, cursor.span(start)));
  }

  private void unquoted(WordBuilder builder) {
    char c = cursor.peek();
    switch (c) {
      case '\\' -> escape(builder);
      case '\'' -> single(builder);
      case '"' -> doubled(builder);
      case '`' -> builder.part(expansions.backticks(false));
      case '$' -> dollar(builder, false);
      case '*', '?' -> glob(builder, 1);
      case '[' -> bracket(builder);
      case '{', '}', ',' -> builder.mark(c);
      default -> builder.character(false);
    }
  }

  private void escape(WordBuilder builder) {
    if (cursor.peek(1) == '\n') {
      cursor.skip(2);
    } else if (cursor.position() + 1 >= cursor.limit()) {
      throw cursor.error("the line that `\\` continues is missing");
    } else {
      builder.escaped(2, String.valueOf(cursor.peek(1)));
    }
  }

  private void single(WordBuilder builder) {
    int start = cursor.position();
    int end = start + 1;
    while (cursor.charAt(end) != '\'') {
      if (end >= cursor.limit()) throw cursor.error("`'` is not closed");
      end++;
    }
    builder.quoted(start + 1, end);
    cursor.moveTo(end + 1);
  }

  private void doubled(WordBuilder builder) {
    var unclosed = cursor.error("`\"` is not closed");
    cursor.skip(1);
    cursor.enter();
    builder.quoted(cursor.position(), cursor.position());
    while (cursor.peek() != '"' || cursor.atEnd()) {
      if (cursor.atEnd()) throw unclosed;
      inQuotes(builder, ESCAPED_IN_QUOTES);
    }
    cursor.leave();
    cursor.skip(1);
  }

  private void inQuotes(WordBuilder builder, String escapable) {
    char c = cursor.peek();
    if (c == '\\' && cursor.peek(1) == '\n') cursor.skip(2);
    else if (c == '\\' && !isLast() && escapable.indexOf(cursor.peek(1)) >= 0) {
      builder.escaped(2, String.valueOf(cursor.peek(1)));
    } else if (c == '`') builder.part(expansions.backticks(true));
    else if (c == '$') dollar(builder, true);
    else builder.character(true);
  }

  private boolean isLast() {
    return cursor.position() + 1 >= cursor.limit();
  }

  private void dollar(WordBuilder builder, boolean isQuoted) {
    if (!isQuoted && cursor.peek(1) == '\'') {
      cursor.skip(2);
      AnsiQuotes.read(cursor, builder);
    } else if (!isQuoted && cursor.peek(1) == '"') {
      cursor.skip(1);
      doubled(builder);
    } else {
      var part = expansions.dollar(isQuoted);
      if (part == null) builder.character(isQuoted);
      else builder.part(part);
    }
  }

  private void glob(WordBuilder builder, int length) {
    int start = cursor.position();
    cursor.skip(length);
    var pattern = cursor.text(start, start + length);
    builder.part(new WordPart.Glob(pattern, cursor.span(start)));
  }

  // `[...]` is a pattern if it is closed in the same word; quotes inside are rare and end the
  // search.
  private void bracket(WordBuilder builder) {
    int length = 1;
    while (length < 256) {
      char c = cursor.peek(length);
      if (CompoundParser.isDelimiter(c) || "'\"\\`$".indexOf(c) >= 0) break;
      length++;
      if (c == ']' && length > 2) {
        glob(builder, length);
        return;
      }
    }
    builder.character(false);
  }

  private boolean isExtendedGlob() {
    return "?*+@!".indexOf(cursor.peek()) >= 0 && cursor.peek(1) == '(' && cursor.peek(2) != ')';
  }

  private void extendedGlob(WordBuilder builder) {
    int start = cursor.position();
    cursor.enter();
    cursor.skip(2);
    var inner = new WordBuilder(cursor, false);
    while (cursor.peek() != ')') {
      if (cursor.atEnd()) throw cursor.error("`)` is missing");
      if (isExtendedGlob()) extendedGlob(inner);
      else if ("|&;<> \t\n(".indexOf(cursor.peek()) >= 0) inner.character(false);
      else unquoted(inner);
    }
    cursor.skip(1);
    cursor.leave();
    builder.part(new WordPart.Glob(cursor.text(start, cursor.position()), cursor.span(start)));
    inner.dynamicParts().forEach(builder::part);
  }

  /// Reads the argument of an operator in `${ }`, up to the brace that closes it.
  Word braced(boolean isQuoted, boolean isPattern) {
    int start = cursor.position();
    var builder = new WordBuilder(cursor, false);
    if (!isQuoted) tilde(builder);
    while (cursor.peek() != '}' || cursor.atEnd()) {
      if (cursor.atEnd()) throw cursor.error("`}` is missing");
      char c = cursor.peek();
      if (c == '"') doubled(builder);
      else if (c == '\\') escape(builder);
      else if (c == '\'' && (!isQuoted || isPattern)) single(builder);
      else if (isQuoted) inQuotes(builder, ESCAPED_IN_QUOTES);
      else if (startsProcess()) builder.part(expansions.process());
      else if (CompoundParser.isDelimiter(c) || "{,".indexOf(c) >= 0) builder.character(false);
      else unquoted(builder);
    }
    return builder.word(start);
  }

  /// Reads a part of the text as if it stood in double quotes; the cursor ends behind it.
  Word quoted(int from, int to) {
    int before = cursor.limit(to);
    cursor.moveTo(from);
    var builder = new WordBuilder(cursor, false);
    while (!cursor.atEnd()) inQuotes(builder, ESCAPED_IN_QUOTES);
    var word = builder.word(from);
    cursor.limit(before);
    return word;
  }

  /// Reads up to the limit as the text of a here-document, where quotes mean nothing.
  List<WordPart> document() {
    var builder = new WordBuilder(cursor, false);
    cursor.enter();
    int start = cursor.position();
    while (!cursor.atEnd()) inQuotes(builder, "$`\\");
    cursor.leave();
    return builder.word(start).parts();
  }

  /// Reads a regular expression behind `=~`, where parentheses and bars are no operators.
  Word regularExpression() {
    int start = cursor.position();
    var builder = new WordBuilder(cursor, false);
    int open = 0;
    while (!cursor.atEnd()) {
      char c = cursor.peek();
      if (c == '(') open++;
      if (c == ')' && --open < 0) break;
      if ("()|<>".indexOf(c) >= 0 || (open > 0 && CompoundParser.isDelimiter(c))) {
        builder.character(false);
      } else if (CompoundParser.isDelimiter(c)) {
        break;
      } else {
        unquoted(builder);
      }
    }
    if (cursor.position() == start) throw cursor.error("a regular expression is missing");
    return builder.word(start);
  }
}
