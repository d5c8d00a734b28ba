package dev.superstep.language.rag;

import dev.superstep.language.CodePoints;
import dev.superstep.language.Diagnostics;
import dev.superstep.language.Source;
import dev.superstep.language.Span;

/// Divides a source into tokens, in one pass. What is no token is reported and kept as an invalid
/// one. For one use.
final class Lexer {
  private static final char BYTE_ORDER_MARK = '\uFEFF';
  private static final int NUMBER_MAX = 40;

  private final String text;
  private final Tokens tokens;
  private final SyntaxLimits limits;
  private final Diagnostics diagnostics;
  private int at;

  Lexer(Source source, SyntaxLimits limits, Diagnostics diagnostics) {
    this.text = source.text();
    this.tokens = new Tokens(source);
    this.limits = limits;
    this.diagnostics = diagnostics;
  }

  Tokens tokens() {
    if (!text.isEmpty() && text.charAt(0) == BYTE_ORDER_MARK) at = 1;
    while (true) {
      blanks();
      if (at == text.length()) break;
      if (tokens.count() >= limits.tokens()) {
        tooMany();
        break;
      }
      token(text.charAt(at));
    }
    tokens.add(TokenKind.END, at, at);
    return tokens;
  }

  private void tooMany() {
    tokens.cut();
    diagnostics.add(
        RagCode.TOO_MANY_TOKENS
            .at(new Span(at, at), "the source has more than " + limits.tokens() + " tokens")
            .help("divide it into several graphs"));
    at = text.length();
  }

  private void blanks() {
    while (at < text.length()) {
      char c = text.charAt(at);
      if (c == ' ' || c == '\n' || c == '\t' || c == '\r') at++;
      else if (c == '/' && at + 1 < text.length() && text.charAt(at + 1) == '/') comment();
      else return;
    }
  }

  private void comment() {
    int start = at;
    boolean isPlain = true;
    while (at < text.length() && text.charAt(at) != '\n' && text.charAt(at) != '\r') {
      isPlain &= isPlain(text.charAt(at));
      at++;
    }
    if (!isPlain) characters(start, at, "comment");
  }

  private void token(char c) {
    if (isNameStart(c)) name();
    else if (isDigit(c) || (c == '-' && isDigit(peek(1)))) number();
    else {
      switch (c) {
        case '{' -> one(TokenKind.LEFT_BRACE);
        case '}' -> one(TokenKind.RIGHT_BRACE);
        case '[' -> one(TokenKind.LEFT_BRACKET);
        case ']' -> one(TokenKind.RIGHT_BRACKET);
        case '<' -> one(TokenKind.LESS);
        case '>' -> one(TokenKind.GREATER);
        case ',' -> one(TokenKind.COMMA);
        case ':' -> one(TokenKind.COLON);
        case '?' -> one(TokenKind.QUESTION);
        case '"' -> string();
        case '-' -> {
          if (peek(1) == '>') {
            tokens.add(TokenKind.ARROW, at, at + 2);
            at += 2;
          } else invalid();
        }
        default -> invalid();
      }
    }
  }

  private void one(TokenKind kind) {
    tokens.add(kind, at, at + 1);
    at++;
  }

  private void name() {
    int start = at;
    while (at < text.length() && isNamePart(text.charAt(at))) at++;
    if (at < text.length() && text.charAt(at) >= 0x80) foreignName(start);
    else tokens.add(TokenKind.IDENTIFIER, start, at);
  }

  /// Reads on over the characters that a reader takes for part of the name.
  private void foreignName(int start) {
    while (at < text.length() && (isNamePart(text.charAt(at)) || text.charAt(at) >= 0x80)) at++;
    var name = text.substring(start, at);
    var span = new Span(start, at);
    tokens.add(TokenKind.INVALID, start, at);
    diagnostics.add(
        RagCode.INVALID_NAME
            .at(span, "a name holds characters that are not ASCII: " + CodePoints.foreign(name))
            .label("`" + CodePoints.quote(name, 40) + "`")
            .help("use ASCII letters, digits and `_`; text for people belongs in a string"));
  }

  private void number() {
    int start = at++;
    while (isDigit(peek(0))) at++;
    if (peek(0) == '.' && isDigit(peek(1))) {
      at++;
      while (isDigit(peek(0))) at++;
    }
    int digits = at - start;
    int unit = at;
    while (at < text.length() && isNamePart(text.charAt(at))) at++;
    var span = new Span(start, at);
    if (digits > NUMBER_MAX) {
      invalidNumber(span, "a number has more than " + NUMBER_MAX + " characters", "");
    } else if (unit == at) tokens.add(TokenKind.NUMBER, start, at);
    else if (Durations.isUnit(text, unit, at)) tokens.add(TokenKind.DURATION, start, at);
    else {
      var name = CodePoints.quote(text.substring(unit, at), 20);
      invalidNumber(
          span, "`" + name + "` is no unit of time", "use ms, s, m or h, as in `90s` or `250ms`");
    }
  }

  private void invalidNumber(Span span, String message, String help) {
    tokens.add(TokenKind.INVALID, span.start(), span.end());
    diagnostics.add(RagCode.INVALID_NUMBER.at(span, message).help(help));
  }

  private void invalid() {
    int start = at;
    boolean isForeign = text.charAt(at) >= 0x80;
    at += Character.charCount(text.codePointAt(at));
    while (at < text.length() && isInvalid(text.charAt(at))) {
      isForeign |= text.charAt(at) >= 0x80;
      at++;
    }
    if (isForeign && at < text.length() && isNamePart(text.charAt(at))) {
      foreignName(start);
      return;
    }
    var found = text.substring(start, at);
    var span = new Span(start, at);
    tokens.add(TokenKind.INVALID, start, at);
    if (isForeign) {
      diagnostics.add(
          RagCode.INVALID_TOKEN
              .at(span, "characters that are not ASCII stand outside of a string")
              .label(CodePoints.foreign(found)));
    } else {
      var diagnostic =
          RagCode.INVALID_TOKEN.at(
              span, "`" + CodePoints.quote(found, 20) + "` is no token of this language");
      diagnostics.add(diagnostic.help(hint(found)));
    }
  }

  private static String hint(String found) {
    return switch (found.charAt(0)) {
      case '\'' -> "strings have double quotes";
      case '#', '/', '*' -> "a comment begins with `//`";
      case '-', '=' -> "an edge is written `->`";
      case ';' -> "items need nothing between them";
      default -> "";
    };
  }

  private static boolean isInvalid(char c) {
    return switch (c) {
      case ' ', '\n', '\t', '\r', '{', '}', '[', ']', '<', '>', ',', ':', '?', '"', '-', '/' ->
          false;
      default -> !isNamePart(c);
    };
  }

  private void string() {
    if (peek(1) == '"' && peek(2) == '"') triple();
    else plain();
  }

  private void plain() {
    int start = at++;
    boolean isPlain = true;
    while (at < text.length()) {
      char c = text.charAt(at);
      if (c == '\n' || c == '\r') break;
      if (c == '"') {
        at++;
        tokens.add(TokenKind.STRING, start, at);
        if (!isPlain) characters(start, at, "string");
        return;
      }
      isPlain &= isPlain(c);
      at += c == '\\' && at + 1 < text.length() && !isLineEnd(text.charAt(at + 1)) ? 2 : 1;
    }
    tokens.add(TokenKind.INVALID, start, at);
    tokens.cut();
    diagnostics.add(
        RagCode.UNTERMINATED_STRING
            .at(new Span(start, at), "a string is not closed in its line")
            .label("it begins here")
            .help("close it by `\"`, or use `\"\"\"` for text of several lines"));
  }

  private void triple() {
    int start = at;
    at += 3;
    boolean isPlain = true;
    while (at < text.length()) {
      char c = text.charAt(at);
      if (c == '"' && peek(1) == '"' && peek(2) == '"') {
        at += 3;
        tokens.add(TokenKind.TRIPLE, start, at);
        if (!isPlain) characters(start, at, "string");
        return;
      }
      isPlain &= isPlain(c) || isLineEnd(c);
      at += c == '\\' && at + 1 < text.length() ? 2 : 1;
    }
    at = text.length();
    tokens.add(TokenKind.INVALID, start, at);
    tokens.cut();
    diagnostics.add(
        RagCode.UNTERMINATED_STRING
            .at(new Span(start, start + 3), "a string with three quotes is never closed")
            .label("it begins here")
            .help("close it by `\"\"\"`"));
  }

  /// Reports what must not be in strings and comments. Only called if there may be something.
  private void characters(int from, int to, String where) {
    for (int i = from; i < to; ) {
      int c = text.codePointAt(i);
      int next = i + Character.charCount(c);
      if (isBroken(c)) {
        diagnostics.add(
            RagCode.INVALID_CHARACTER
                .at(new Span(i, next), "a " + where + " holds " + CodePoints.show(c))
                .label(c >= 0xD800 && c <= 0xDFFF ? "half a character" : "a control character")
                .help("remove it"));
      } else if (CodePoints.isDirection(c)) {
        diagnostics.add(
            RagCode.HIDDEN_DIRECTION
                .at(new Span(i, next), "a " + where + " holds " + CodePoints.show(c))
                .label("changes the direction of the text after it")
                .help("remove it, unless the text needs it"));
      }
      i = next;
    }
  }

  static boolean isBroken(int c) {
    return (c < 0x20 && c != '\t' && c != '\n' && c != '\r')
        || (c >= 0x7F && c < 0xA0)
        || (c >= 0xD800 && c <= 0xDFFF);
  }

  private char peek(int ahead) {
    return at + ahead < text.length() ? text.charAt(at + ahead) : '\0';
  }

  private static boolean isPlain(char c) {
    return (c >= 0x20 && c < 0x7F) || c == '\t';
  }

  private static boolean isLineEnd(char c) {
    return c == '\n' || c == '\r';
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  static boolean isNameStart(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  }

  static boolean isNamePart(char c) {
    return isNameStart(c) || isDigit(c);
  }
}
