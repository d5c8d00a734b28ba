package dev.superstep.repl.internal.syntax;

import dev.superstep.language.CodePoints;
import dev.superstep.language.Diagnostics;
import dev.superstep.language.Source;
import dev.superstep.language.Span;
import dev.superstep.repl.internal.syntax.Token.Kind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// Cuts a cell, or the expression in a field of an f-string, into tokens. Goes on after an error.
final class Lexer {
  private static final int TAB = 8;
  private static final int INDENTS_MAX = 40;

  static final Set<String> KEYWORDS =
      Set.of(
          "False",
          "None",
          "True",
          "and",
          "as",
          "assert",
          "async",
          "await",
          "break",
          "class",
          "continue",
          "def",
          "del",
          "elif",
          "else",
          "except",
          "finally",
          "for",
          "from",
          "global",
          "if",
          "import",
          "in",
          "is",
          "lambda",
          "nonlocal",
          "not",
          "or",
          "pass",
          "raise",
          "return",
          "try",
          "while",
          "with",
          "yield");

  private static final String[] OPERATORS = {
    "**=", "//=", ">>=", "<<=", "...", "!=", "**", "//", "<<", ">>", "<=", ">=", "==", "->", "+=",
    "-=", "*=", "/=", "%=", "&=", "|=", "^=", ":=", "@=", "+", "-", "*", "/", "%", "&", "|", "^",
    "~", "<", ">", "(", ")", "[", "]", "{", "}", ",", ":", ".", ";", "=", "@"
  };

  private final String text;
  private final int end;
  private final Diagnostics diagnostics;
  private final List<Token> tokens = new ArrayList<>();
  private final ArrayDeque<Integer> indents = new ArrayDeque<>();
  private final ArrayDeque<Token> open = new ArrayDeque<>();
  private final boolean isWhole;
  private int at;
  private int cutOff;

  Lexer(Source source, Span part, boolean isWhole, Diagnostics diagnostics) {
    this.text = source.text();
    this.at = part.start();
    this.end = part.end();
    this.isWhole = isWhole;
    this.diagnostics = diagnostics;
  }

  List<Token> tokens() {
    indents.push(0);
    if (isWhole) {
      if (at < end && text.charAt(at) == '\uFEFF') at++;
      indent();
    }
    while (at < end) token();
    if (!open.isEmpty()) {
      var first = open.peekLast();
      diagnostics.add(RagshCode.SYNTAX.at(first.span(), "`" + first.text() + "` was never closed"));
    }
    if (isWhole) {
      if (!tokens.isEmpty() && tokens.getLast().kind() != Kind.NEWLINE) add(Kind.NEWLINE, at, at);
      while (indents.pop() > 0) add(Kind.DEDENT, at, at);
    }
    add(Kind.END, at, at);
    return tokens;
  }

  /// The findings that more text would end: a bracket or a long text that is not closed.
  int cutOff() {
    return cutOff + (open.isEmpty() ? 0 : 1);
  }

  private void add(Kind kind, int from, int to) {
    tokens.add(new Token(kind, text.substring(from, to), from, to));
  }

  private boolean isBlank(char c) {
    return c == ' ' || c == '\t' || c == '\f';
  }

  private boolean isLineEnd(char c) {
    return c == '\n' || c == '\r';
  }

  private void token() {
    char c = text.charAt(at);
    if (isBlank(c)) at++;
    else if (c == '#') comment();
    else if (isLineEnd(c)) line();
    else if (c == '\\' && at + 1 < end && isLineEnd(text.charAt(at + 1))) joinLines();
    else if (isDigit(c) || (c == '.' && at + 1 < end && isDigit(text.charAt(at + 1)))) number();
    else if (c == '"' || c == '\'') string(at);
    else if (isNameStart(text.codePointAt(at))) name();
    else operator();
  }

  private void comment() {
    while (at < end && !isLineEnd(text.charAt(at))) at++;
  }

  private void endLine() {
    if (text.startsWith("\r\n", at)) at++;
    at++;
  }

  private void joinLines() {
    at++;
    endLine();
  }

  private void line() {
    int from = at;
    endLine();
    if (!open.isEmpty() || !isWhole) return;
    if (!tokens.isEmpty()) {
      var last = tokens.getLast().kind();
      if (last != Kind.NEWLINE && last != Kind.INDENT && last != Kind.DEDENT) {
        add(Kind.NEWLINE, from, from);
      }
    }
    indent();
  }

  /// Compares the blanks of a line that is not empty with those around it.
  private void indent() {
    int from = at;
    int column = 0;
    while (at < end && isBlank(text.charAt(at))) {
      char c = text.charAt(at++);
      column = c == '\t' ? (column / TAB + 1) * TAB : c == '\f' ? 0 : column + 1;
    }
    if (at == end || isLineEnd(text.charAt(at)) || text.charAt(at) == '#') return;
    int now = indents.getFirst();
    if (column > now) {
      if (indents.size() > INDENTS_MAX) {
        diagnostics.add(
            RagshCode.TOO_DEEP
                .at(new Span(from, at), "blocks are nested deeper than " + INDENTS_MAX)
                .help("move the inner blocks to functions"));
        at = end;
        return;
      }
      indents.push(column);
      add(Kind.INDENT, from, at);
    }
    while (column < indents.getFirst()) {
      indents.pop();
      add(Kind.DEDENT, at, at);
    }
    if (column != indents.getFirst() && column < now) {
      diagnostics.add(
          RagshCode.SYNTAX.at(
              new Span(from, at), "this indent matches that of no block around it"));
      indents.push(column);
      add(Kind.INDENT, from, at);
    }
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static boolean isNameStart(int c) {
    return c == '_' || Character.isLetter(c);
  }

  private static boolean isNamePart(int c) {
    return c == '_'
        || Character.isLetterOrDigit(c)
        || Character.getType(c) == Character.NON_SPACING_MARK;
  }

  private void number() {
    int from = at;
    while (at < end) {
      char c = text.charAt(at);
      boolean isSign =
          (c == '+' || c == '-')
              && (text.charAt(at - 1) == 'e' || text.charAt(at - 1) == 'E')
              && !(from + 1 < end
                  && text.charAt(from) == '0'
                  && "xXbBoO".indexOf(text.charAt(from + 1)) >= 0);
      if (!isSign && c != '.' && c != '_' && (c >= 0x80 || !Character.isLetterOrDigit(c))) break;
      // A keyword may follow a number without a blank, as in `1if x else 2`.
      if (c == '.' && text.startsWith("..", at)) break;
      at++;
    }
    add(Kind.NUMBER, from, at);
  }

  private void name() {
    int from = at;
    while (at < end) {
      int c = text.codePointAt(at);
      if (!isNamePart(c)) break;
      at += Character.charCount(c);
    }
    var word = text.substring(from, at);
    if (at < end && (text.charAt(at) == '"' || text.charAt(at) == '\'') && isPrefix(word)) {
      string(from);
      return;
    }
    add(KEYWORDS.contains(word) ? Kind.KEYWORD : Kind.NAME, from, at);
  }

  private static boolean isPrefix(String word) {
    if (word.length() > 2) return false;
    return word.chars().allMatch(c -> "rRbBuUfF".indexOf(c) >= 0);
  }

  private void string(int from) {
    boolean isFormat =
        text.substring(from, at).toLowerCase(java.util.Locale.ROOT).indexOf('f') >= 0;
    char quote = text.charAt(at);
    var mark = String.valueOf(quote);
    if (text.startsWith(mark.repeat(3), at)) mark = mark.repeat(3);
    at += mark.length();
    at = Literals.end(text, at, end, mark, isFormat);
    if (!text.startsWith(mark, at) || at + mark.length() > end) {
      if (mark.length() == 3) cutOff++;
      diagnostics.add(
          RagshCode.SYNTAX
              .at(new Span(from, at), "this text has no end")
              .help(
                  mark.length() == 3
                      ? "close it with " + mark
                      : "close it with "
                          + mark
                          + " on its line, or begin it with "
                          + mark.repeat(3)));
      add(Kind.STRING, from, from);
      return;
    }
    at += mark.length();
    add(Kind.STRING, from, at);
  }

  private void operator() {
    for (var operator : OPERATORS) {
      if (!text.startsWith(operator, at) || at + operator.length() > end) continue;
      add(Kind.OPERATOR, at, at + operator.length());
      at += operator.length();
      brackets(tokens.getLast());
      return;
    }
    int c = text.codePointAt(at);
    int size = Character.charCount(c);
    var shown = CodePoints.isHidden(c) ? CodePoints.show(c) : Character.toString(c);
    var found =
        RagshCode.SYNTAX.at(new Span(at, at + size), "`" + shown + "` is no part of the language");
    diagnostics.add(
        c == '`'
            ? found.help("texts stand in \"...\" or '...'")
            : c == '!' || c == '?' ? found.help("`not`, `!=`") : found);
    at += size;
  }

  private void brackets(Token token) {
    switch (token.text()) {
      case "(", "[", "{" -> open.push(token);
      case ")", "]", "}" -> {
        var opened = open.poll();
        if (opened == null) {
          diagnostics.add(
              RagshCode.SYNTAX.at(token.span(), "`" + token.text() + "` closes nothing"));
        } else if ("([{".indexOf(opened.text()) != ")]}".indexOf(token.text())) {
          diagnostics.add(
              RagshCode.SYNTAX
                  .at(token.span(), "`" + token.text() + "` does not close `" + opened.text() + "`")
                  .also(opened.span(), "opened here"));
        }
      }
      default -> {}
    }
  }
}
