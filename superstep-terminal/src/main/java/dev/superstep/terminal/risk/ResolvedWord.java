package dev.superstep.terminal.risk;

import dev.superstep.language.Span;
import dev.superstep.terminal.shell.MappedText;

/// A word after the expansions that are known before the command runs. Immutable.
///
/// @param text with [#UNKNOWN] where only the shell knows the value
/// @param isPattern whether the shell replaces it by names of files
record ResolvedWord(MappedText text, boolean isPattern, Span span) {
  static final char UNKNOWN = '\uFFFE';

  static ResolvedWord of(String value, Span span) {
    return new ResolvedWord(MappedText.of(value, span), false, span);
  }

  static ResolvedWord unknown(Span span) {
    return of(String.valueOf(UNKNOWN), span);
  }

  boolean isKnown() {
    return value().indexOf(UNKNOWN) < 0;
  }

  String value() {
    return text.text();
  }

  boolean is(String expected) {
    return value().equals(expected);
  }

  ResolvedWord from(int index) {
    var rest = text.part(index, text.length());
    return new ResolvedWord(
        rest, isPattern, rest.length() == 0 ? span : rest.span(0, rest.length()));
  }

  Invocation.Argument argument() {
    return new Invocation.Argument(isKnown() ? value() : null, isPattern, span);
  }
}
