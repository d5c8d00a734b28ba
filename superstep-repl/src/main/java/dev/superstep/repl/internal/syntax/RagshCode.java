package dev.superstep.repl.internal.syntax;

import dev.superstep.language.Diagnostic;
import dev.superstep.language.Span;

/// The codes of findings before a cell runs.
public enum RagshCode {
  SYNTAX("syntax"),
  UNSUPPORTED("unsupported"),
  FORBIDDEN_NAME("forbidden-name"),
  RESERVED_NAME("reserved-name"),
  UNKNOWN_NAME("unknown-name"),
  ARGUMENTS("arguments"),
  TOO_DEEP("too-deep"),
  TOO_LONG("too-long"),
  IMPORT("import");

  private final String word;

  RagshCode(String word) {
    this.word = word;
  }

  /// An error with this code.
  public Diagnostic at(Span span, String message) {
    return Diagnostic.error("E-ragsh-" + word, span, message);
  }

  /// A note with this code.
  public Diagnostic note(Span span, String message) {
    return Diagnostic.note("E-ragsh-" + word, span, message);
  }
}
