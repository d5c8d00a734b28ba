package dev.superstep.language.rag;

import dev.superstep.language.Source;
import dev.superstep.language.Span;
import java.util.Arrays;

/// The tokens of a source, in order; the last one is its end. What is between two of them (blanks
/// and comments) is in the source, so nothing is lost. Immutable once the lexer is done.
public final class Tokens {
  private final Source source;
  private TokenKind[] kinds = new TokenKind[256];
  private int[] starts = new int[256];
  private int[] ends = new int[256];
  private int count;
  private boolean isCut;

  Tokens(Source source) {
    this.source = source;
  }

  void add(TokenKind kind, int start, int end) {
    if (count == kinds.length) {
      kinds = Arrays.copyOf(kinds, 2 * count);
      starts = Arrays.copyOf(starts, 2 * count);
      ends = Arrays.copyOf(ends, 2 * count);
    }
    kinds[count] = kind;
    starts[count] = start;
    ends[count] = end;
    count++;
  }

  /// Notes that a part of the source is in no token of its own.
  void cut() {
    isCut = true;
  }

  /// Returns whether braces may be missing because of an error that was reported.
  boolean isCut() {
    return isCut;
  }

  public int count() {
    return count;
  }

  public TokenKind kind(int token) {
    return kinds[Math.min(token, count - 1)];
  }

  public int start(int token) {
    return starts[Math.min(token, count - 1)];
  }

  public int end(int token) {
    return ends[Math.min(token, count - 1)];
  }

  public Span span(int token) {
    return new Span(start(token), end(token));
  }

  /// The text of a token.
  public String text(int token) {
    return source.text().substring(start(token), end(token));
  }

  /// Returns whether the text of a token is this.
  public boolean is(int token, String text) {
    int start = start(token);
    return end(token) - start == text.length() && source.text().startsWith(text, start);
  }

  /// The blanks and comments before a token.
  public Span before(int token) {
    return new Span(token == 0 ? 0 : end(token - 1), start(token));
  }

  /// Returns whether a line ends between a token and the one before it.
  public boolean startsLine(int token) {
    if (token == 0) return true;
    var text = source.text();
    for (int i = end(token - 1); i < start(token); i++) {
      char c = text.charAt(i);
      if (c == '\n' || c == '\r') return true;
    }
    return false;
  }

  /// The token that holds an offset, or the first one behind it.
  public int at(int offset) {
    int found = Arrays.binarySearch(starts, 0, count, offset);
    if (found >= 0) return found;
    int after = -found - 1;
    return after > 0 && ends[after - 1] > offset ? after - 1 : Math.min(after, count - 1);
  }
}
