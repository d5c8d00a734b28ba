package dev.superstep.model.local;

import java.util.Set;
import java.util.TreeSet;

/// Keeps texts of messages from holding a model's control tokens: the tokenizer would read them as
/// such, and a message could forge a turn. Immutable.
final class ControlTokens {
  private final Set<String> tokens;
  private final TreeSet<Integer> lengths = new TreeSet<>();
  private final String starts;

  ControlTokens(Set<String> tokens) {
    this.tokens = Set.copyOf(tokens);
    var first = new StringBuilder();
    for (var token : tokens) {
      lengths.add(token.length());
      if (first.indexOf(token.substring(0, 1)) < 0) first.append(token.charAt(0));
    }
    this.starts = first.toString();
  }

  /// The text with a space after the first character of whatever reads as a control token.
  String defused(String text) {
    var safe = new StringBuilder(text.length());
    for (int at = 0; at < text.length(); at++) {
      safe.append(text.charAt(at));
      if (starts.indexOf(text.charAt(at)) >= 0 && startsToken(text, at)) safe.append(' ');
    }
    return safe.toString();
  }

  private boolean startsToken(String text, int at) {
    for (int length : lengths) {
      if (at + length > text.length()) return false;
      if (tokens.contains(text.substring(at, at + length))) return true;
    }
    return false;
  }
}
