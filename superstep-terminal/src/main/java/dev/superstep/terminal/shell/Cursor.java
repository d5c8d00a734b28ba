package dev.superstep.terminal.shell;

import dev.superstep.language.Span;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/// A place in shell text, and the here-documents that begin at the next line. One thread at a time.
final class Cursor {
  /// At the end of the text; no shell takes it in a script.
  static final char END = '\uFFFF';

  // All looking ahead together may read the text this many times.
  private static final int LOOKAHEAD_FACTOR = 8;

  private final MappedText mapped;
  private final String text;
  private final ArrayDeque<HereDocument> pending = new ArrayDeque<>();
  private int position;
  private int limit;
  private int depth;
  private long fuel;

  Cursor(MappedText mapped, int depth) {
    this.mapped = mapped;
    this.text = mapped.text();
    this.limit = text.length();
    this.depth = depth;
    this.fuel = 1000L + (long) LOOKAHEAD_FACTOR * text.length();
  }

  int position() {
    return position;
  }

  void moveTo(int place) {
    position = place;
  }

  int limit() {
    return limit;
  }

  /// Sets where the text seems to end, and returns where it seemed to end before.
  int limit(int end) {
    int before = limit;
    limit = end;
    return before;
  }

  boolean atEnd() {
    return position >= limit;
  }

  char peek() {
    return peek(0);
  }

  char peek(int ahead) {
    int at = position + ahead;
    return at < limit ? text.charAt(at) : END;
  }

  char charAt(int place) {
    return place < limit ? text.charAt(place) : END;
  }

  char next() {
    return text.charAt(position++);
  }

  void skip(int count) {
    position += count;
  }

  boolean at(String expected) {
    return position + expected.length() <= limit && text.startsWith(expected, position);
  }

  boolean take(String expected) {
    if (!at(expected)) return false;
    position += expected.length();
    return true;
  }

  String text(int from, int to) {
    return text.substring(from, to);
  }

  MappedText part(int from, int to) {
    return mapped.part(from, to);
  }

  Span span(int from) {
    return span(from, position);
  }

  Span span(int from, int to) {
    return mapped.span(from, to);
  }

  int depth() {
    return depth;
  }

  void enter() {
    if (++depth > ShellScript.DEPTH_MAX) {
      throw new SyntaxError("E-shell-too-deep", span(position, position), "nesting is too deep");
    }
  }

  void leave() {
    depth--;
  }

  /// Pays for looking ahead, so that parsing takes linear time.
  void spend(int characters) {
    fuel -= characters + 1L;
    if (fuel < 0) throw error("too much is ambiguous here");
  }

  SyntaxError error(String message) {
    int end = Math.min(limit, position + 1);
    return new SyntaxError("E-shell-syntax", span(position, Math.max(position, end)), message);
  }

  /// Skips blanks, joined lines and a comment; stops in front of a new line.
  void skipBlanks() {
    while (!atEnd()) {
      char c = peek();
      if (c == ' ' || c == '\t') position++;
      else if (c == '\\' && peek(1) == '\n') position += 2;
      else break;
    }
    if (peek() == '#') {
      while (!atEnd() && peek() != '\n') position++;
    }
  }

  /// Skips blanks, comments and new lines.
  void skipLines() {
    skipBlanks();
    while (peek() == '\n') {
      newLine();
      skipBlanks();
    }
  }

  void await(HereDocument document) {
    pending.add(document);
  }

  int awaited() {
    return pending.size();
  }

  /// Consumes a new line, and the here-documents behind it.
  void newLine() {
    position++;
    for (var document = pending.poll(); document != null; document = pending.poll()) {
      read(document);
    }
  }

  private void read(HereDocument document) {
    int start = position;
    while (position < limit) {
      int end = text.indexOf('\n', position);
      if (end < 0 || end > limit) end = limit;
      if (document.endsAt(text.substring(position, end))) {
        fill(document, start, position);
        position = Math.min(limit, end + 1);
        // What is behind the document is a line of its own: the new line is already consumed.
        return;
      }
      position = Math.min(limit, end + 1);
    }
    fill(document, start, position);
  }

  private void fill(HereDocument document, int start, int end) {
    var raw = text.substring(start, end);
    List<WordPart> parts = new ArrayList<>();
    if (document.isLiteral()) {
      parts.add(new WordPart.Literal(raw, true, span(start, end)));
    } else {
      int after = position;
      int before = limit(end);
      position = start;
      parts = new WordParser(this).document();
      limit(before);
      position = after;
    }
    document.fill(new Word(raw, parts, span(start, end)));
  }
}
