package dev.superstep.terminal.shell;

import dev.superstep.language.Span;

/// Ends the parsing of a script at its first fault; never leaves this package.
final class SyntaxError extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Span span;
  private final String code;

  SyntaxError(String code, Span span, String message) {
    super(message, null, false, false);
    this.code = code;
    this.span = span;
  }

  String code() {
    return code;
  }

  Span span() {
    return span;
  }

  String reason() {
    var message = getMessage();
    return message == null ? code : message;
  }
}
