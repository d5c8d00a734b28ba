package dev.superstep.terminal.shell;

import dev.superstep.language.Span;
import org.jspecify.annotations.Nullable;

/// A change of where a command reads or writes. Immutable.
///
/// @param descriptor before the operator, such as `2` or `{name}`; empty if there is none
/// @param target a file, a descriptor or the text of a here-string; of a here-document, its
///   delimiter
/// @param document the text of a here-document, with the expansions that the shell makes in it
public record Redirection(
    String descriptor, Kind kind, Word target, @Nullable Word document, Span span) {
  /// The operators.
  public enum Kind {
    /// `<`
    READ,
    /// `>`
    WRITE,
    /// `>|`
    CLOBBER,
    /// `>>`
    APPEND,
    /// `<>`
    READ_WRITE,
    /// `<&`
    COPY_INPUT,
    /// `>&` with a descriptor
    COPY_OUTPUT,
    /// `&>`, or `>&` with a file
    WRITE_ALL,
    /// `&>>`
    APPEND_ALL,
    /// `<<` and `<<-`
    HERE_DOCUMENT,
    /// `<<<`
    HERE_STRING
  }

  /// Returns whether a file is made or changed.
  public boolean isWriting() {
    return switch (kind) {
      case WRITE, CLOBBER, APPEND, READ_WRITE, WRITE_ALL, APPEND_ALL -> true;
      case READ, COPY_INPUT, COPY_OUTPUT, HERE_DOCUMENT, HERE_STRING -> false;
    };
  }

  /// Returns whether an existing file loses what it has.
  public boolean isTruncating() {
    return kind == Kind.WRITE || kind == Kind.CLOBBER || kind == Kind.WRITE_ALL;
  }
}
