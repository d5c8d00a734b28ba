package dev.superstep.repl.internal.syntax;

import dev.superstep.language.Span;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Parses a text, with the fields in it if it is an f-string.
final class StringParser {
  private static final int FIELDS_DEPTH_MAX = 4;

  private final Cursor in;
  private final Token token;
  private final int depth;
  private final String text;
  private boolean isRaw;

  StringParser(Cursor in, Token token, int depth) {
    this.in = in;
    this.token = token;
    this.depth = depth;
    this.text = in.source().text();
  }

  /// Adds the parts; returns whether it is an f-string.
  boolean parse(List<Expr.Part> parts) {
    if (token.start() == token.end()) return false;
    int at = token.start();
    while (text.charAt(at) != '"' && text.charAt(at) != '\'') at++;
    var prefix = text.substring(token.start(), at).toLowerCase(Locale.ROOT);
    if (prefix.contains("b")) {
      in.diagnostics()
          .add(
              RagshCode.UNSUPPORTED
                  .at(token.span(), "there are no bytes, only texts")
                  .help("leave out the `b`"));
    }
    isRaw = prefix.contains("r");
    var quote = text.substring(at, at + 1);
    int mark = token.end() - at >= 6 && text.startsWith(quote.repeat(3), at) ? 3 : 1;
    int from = at + mark;
    int to = token.end() - mark;
    if (!prefix.contains("f")) {
      words(from, to, parts);
      return false;
    }
    parts(from, to, 0, parts);
    return true;
  }

  private void words(int from, int to, List<Expr.Part> parts) {
    if (from == to) return;
    var raw = text.substring(from, to);
    var meant = isRaw ? Literals.newlines(raw) : Literals.unescape(raw, from, in.diagnostics());
    parts.add(new Expr.Words(meant));
  }

  private void parts(int from, int to, int nested, List<Expr.Part> parts) {
    int start = from;
    int at = from;
    while (at < to) {
      char c = text.charAt(at);
      if (c == '\\' && !isRaw && at + 1 < to) {
        at += text.startsWith("\\N{", at) ? Math.max(3, text.indexOf('}', at) + 1 - at) : 2;
      } else if (nested == 0 && (text.startsWith("{{", at) || text.startsWith("}}", at))) {
        words(start, at + 1, parts);
        at += 2;
        start = at;
      } else if (c == '{') {
        words(start, at, parts);
        at = field(at, to, nested, parts);
        start = at;
      } else if (c == '}') {
        throw in.lost(
            RagshCode.SYNTAX
                .at(new Span(at, at + 1), "a single `}` in an f-string")
                .help("write `}}` for the character"));
      } else at++;
    }
    words(start, Math.max(start, to), parts);
  }

  private int field(int open, int to, int nested, List<Expr.Part> parts) {
    if (nested > 1 || depth > FIELDS_DEPTH_MAX * 10) {
      throw in.lost(RagshCode.TOO_DEEP.at(new Span(open, open + 1), "fields are nested too deep"));
    }
    int end = valueEnd(open + 1, to);
    int valueEnd = end;
    boolean isShown = false;
    int last = end - 1;
    while (last > open && Character.isWhitespace(text.charAt(last))) last--;
    if (last > open && text.charAt(last) == '=' && "=!<>".indexOf(text.charAt(last - 1)) < 0) {
      isShown = true;
      valueEnd = last;
    }
    var value = value(open, valueEnd);
    int at = end;
    char conversion = 0;
    if (at < to && text.charAt(at) == '!') {
      conversion = at + 1 < to ? text.charAt(at + 1) : ' ';
      if ("sra".indexOf(conversion) < 0) {
        throw in.lost(
            RagshCode.SYNTAX.at(new Span(at, at + 1), "after `!` stands `s`, `r` or `a`"));
      }
      at += 2;
    }
    var spec = new ArrayList<Expr.Part>();
    boolean hasSpec = at < to && text.charAt(at) == ':';
    if (hasSpec) {
      int specEnd = specEnd(at + 1, to);
      parts(at + 1, specEnd, nested + 1, spec);
      at = specEnd;
    }
    if (at >= to || text.charAt(at) != '}') {
      throw in.lost(
          RagshCode.SYNTAX
              .at(new Span(open, open + 1), "this `{` is never closed")
              .help("write `{{` for the character"));
    }
    if (isShown) {
      parts.add(new Expr.Words(text.substring(open + 1, end)));
      if (conversion == 0 && !hasSpec) conversion = 'r';
    }
    parts.add(new Expr.Field(value, conversion, spec));
    return at + 1;
  }

  /// The end of the expression of a field: `!`, `:` or `}` outside of brackets and texts.
  private int valueEnd(int from, int to) {
    int brackets = 0;
    for (int at = from; at < to; at++) {
      char c = text.charAt(at);
      if (c == '"' || c == '\'') {
        var mark =
            text.startsWith(String.valueOf(c).repeat(3), at)
                ? String.valueOf(c).repeat(3)
                : String.valueOf(c);
        at = Literals.end(text, at + mark.length(), to, mark, false) + mark.length() - 1;
      } else if ("([{".indexOf(c) >= 0) brackets++;
      else if (c == '}' && brackets == 0) return at;
      else if (")]}".indexOf(c) >= 0) brackets--;
      else if (c == '!' && brackets == 0 && !text.startsWith("!=", at)) return at;
      else if (c == ':' && brackets == 0) return at;
    }
    return to;
  }

  private int specEnd(int from, int to) {
    int open = 0;
    for (int at = from; at < to; at++) {
      char c = text.charAt(at);
      if (c == '{') open++;
      if (c == '}' && open-- == 0) return at;
    }
    return to;
  }

  private Expr value(int open, int end) {
    if (text.substring(open + 1, end).isBlank()) {
      throw in.lost(
          RagshCode.SYNTAX.at(
              new Span(open, Math.min(end + 1, text.length())),
              "a field of an f-string needs an expression"));
    }
    var part = new Span(open + 1, end);
    var tokens = new Lexer(in.source(), part, false, in.diagnostics()).tokens();
    var inner = new Cursor(in.source(), tokens, in.diagnostics());
    var value = new ExprParser(inner, depth + 4).several();
    if (!inner.is(Token.Kind.END)) {
      throw inner.lost("expected the end of the field, found " + inner.peek().shown());
    }
    return value;
  }
}
