package dev.superstep.language.rag;

import dev.superstep.language.CodePoints;
import dev.superstep.language.Diagnostics;
import dev.superstep.language.Source;
import dev.superstep.language.Span;
import java.util.Optional;

/// Reads and writes the strings of a source.
///
/// A string with three quotes may have several lines. A line break right after the opening quotes
/// is left out, and so is a last line of blanks; then the blanks that all other lines begin with
/// are removed. Escapes are read after that.
public final class StringLiterals {
  private static final String QUOTES = "\"\"\"";

  private StringLiterals() {}

  /// Reads a string token, and reports escapes that do not exist.
  static String read(Source source, Span token, Diagnostics diagnostics) {
    int start = token.start();
    int end = token.end();
    var text = source.text();
    boolean isTriple = text.startsWith(QUOTES, start) && end - start >= 6;
    int quotes = isTriple ? 3 : 1;
    if (text.indexOf('\\', start, end) >= 0) {
      checkEscapes(text, start + quotes, end - quotes, diagnostics);
    }
    var body = text.substring(start + quotes, end - quotes);
    return unescaped(isTriple ? dedented(body) : body);
  }

  private static void checkEscapes(String text, int from, int to, Diagnostics diagnostics) {
    int at = text.indexOf('\\', from, to);
    while (at >= 0) {
      int next = at + 1;
      if (next >= to || !isEscape(text.charAt(next))) {
        int end = next < to ? next + Character.charCount(text.codePointAt(next)) : next;
        var found = CodePoints.quote(text.substring(at, end), 10);
        diagnostics.add(
            RagCode.INVALID_ESCAPE
                .at(new Span(at, end), "`" + found + "` is no escape")
                .help(
                    "escapes are `\\n`, `\\t`, `\\r`, `\\\\` and `\\\"`; write `\\\\` for one"
                        + " `\\`"));
      }
      at = next + 1 < to ? text.indexOf('\\', next + 1, to) : -1;
    }
  }

  private static boolean isEscape(char c) {
    return c == 'n' || c == 't' || c == 'r' || c == '\\' || c == '"';
  }

  private static String unescaped(String text) {
    if (text.indexOf('\\') < 0) return text;
    var out = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c != '\\' || i + 1 == text.length()) {
        out.append(c);
        continue;
      }
      char next = text.charAt(++i);
      switch (next) {
        case 'n' -> out.append('\n');
        case 't' -> out.append('\t');
        case 'r' -> out.append('\r');
        default -> out.append(next);
      }
    }
    return out.toString();
  }

  /// Applies the rule for strings of several lines; line ends become `\n`.
  static String dedented(String body) {
    var text = body.indexOf('\r') < 0 ? body : body.replace("\r\n", "\n").replace('\r', '\n');
    if (text.startsWith("\n")) text = text.substring(1);
    int last = text.lastIndexOf('\n');
    if (isBlank(text, last + 1, text.length())) text = text.substring(0, Math.max(0, last));
    int indent = commonIndent(text);
    if (indent == 0) return text;
    var out = new StringBuilder(text.length());
    for (int start = 0; start <= text.length(); ) {
      int end = text.indexOf('\n', start);
      if (end < 0) end = text.length();
      out.append(text, Math.min(start + indent, end), end);
      if (end < text.length()) out.append('\n');
      start = end + 1;
    }
    return out.toString();
  }

  private static int commonIndent(String text) {
    int first = -1;
    int common = 0;
    for (int start = 0; start <= text.length(); ) {
      int end = text.indexOf('\n', start);
      if (end < 0) end = text.length();
      if (!isBlank(text, start, end)) {
        if (first < 0) {
          first = start;
          while (isBlank(text.charAt(start + common))) common++;
        } else common = same(text, first, start, common);
      }
      start = end + 1;
    }
    return common;
  }

  /// Both lines have something that is not blank, so neither ends before the first difference.
  private static int same(String text, int first, int start, int most) {
    int same = 0;
    while (same < most && text.charAt(first + same) == text.charAt(start + same)) same++;
    return same;
  }

  private static boolean isBlank(String text, int from, int to) {
    for (int i = from; i < to; i++) if (!isBlank(text.charAt(i))) return false;
    return true;
  }

  private static boolean isBlank(char c) {
    return c == ' ' || c == '\t';
  }

  /// Returns what keeps a text from being written, if anything does: a control character without an
  /// escape, or half a character.
  public static Optional<String> refusal(String text) {
    for (int i = 0; i < text.length(); ) {
      int c = text.codePointAt(i);
      if (Lexer.isBroken(c)) return Optional.of(CodePoints.show(c));
      i += Character.charCount(c);
    }
    return Optional.empty();
  }

  /// A text as a string of one line.
  public static String write(String text) {
    var out = new StringBuilder(text.length() + 2).append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '\n' -> out.append("\\n");
        case '\t' -> out.append("\\t");
        case '\r' -> out.append("\\r");
        case '"', '\\' -> out.append('\\').append(c);
        default -> out.append(c);
      }
    }
    return out.append('"').toString();
  }

  /// A text as a string: with three quotes if it has several lines and that gives the same text.
  ///
  /// @param indent the blanks before each line
  public static String write(String text, String indent) {
    if (text.indexOf('\n') < 0 || text.indexOf('\r') >= 0) return write(text);
    var escaped = text.replace("\\", "\\\\").replace(QUOTES, "\\\"\\\"\\\"").replace("\t", "\\t");
    var out = new StringBuilder(QUOTES).append('\n');
    for (var line : escaped.split("\n", -1)) {
      if (!line.isEmpty()) out.append(indent).append(line);
      out.append('\n');
    }
    var written = out.append(indent).append(QUOTES).toString();
    var read = unescaped(dedented(written.substring(3, written.length() - 3)));
    return read.equals(text) ? written : write(text);
  }
}
