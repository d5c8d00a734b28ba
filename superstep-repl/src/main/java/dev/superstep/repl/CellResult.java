package dev.superstep.repl;

import dev.superstep.language.Diagnostic;
import dev.superstep.repl.host.HostValue;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// All that came of a cell. Immutable.
///
/// @param output what it printed
/// @param value the value of its last line, if that is an expression and not `None`
/// @param changed the variables of the session that are new, different or gone
/// @param diagnostics findings before it ran, and the error that ended it
/// @param error the end of a cell that did not get to its last line
/// @param answer what `answer` was called with first
public record CellResult(
    Output output,
    @Nullable Shown value,
    List<Variable> changed,
    List<Diagnostic> diagnostics,
    @Nullable CellError error,
    @Nullable HostValue answer,
    Used used) {
  public CellResult {
    changed = List.copyOf(changed);
    diagnostics = List.copyOf(diagnostics);
  }

  /// Returns whether the cell ran to its end.
  public boolean isComplete() {
    return error == null;
  }

  /// The output of a cell.
  ///
  /// @param shown the text, with a mark in the place of what was left out
  /// @param length the number of characters that were printed
  public record Output(String shown, long length) {
    /// An output of which the head and the tail are shown if it is long.
    ///
    /// @param most characters that are shown
    public static Output of(String all, int most) {
      long length = all.codePointCount(0, all.length());
      if (length <= most) return new Output(all, length);
      int tail = most / 2;
      int head = most - tail;
      var shown =
          all.substring(0, all.offsetByCodePoints(0, head))
              + "\n[... "
              + (length - head - tail)
              + " characters left out ...]\n"
              + all.substring(all.offsetByCodePoints(all.length(), -tail));
      return new Output(shown, length);
    }
  }

  /// A value as text.
  ///
  /// @param text at most 2,000 characters, as `repr` gives it
  public record Shown(String type, String text) {}

  /// A variable of the session.
  ///
  /// @param type empty if it is gone
  /// @param size the number of items or characters; 0 for what has none
  /// @param digest SHA-256 of its text; empty if it is too large to be told
  public record Variable(String name, String type, long size, String digest) {}

  /// The costs of a cell; 0 where an interpreter does not count.
  ///
  /// @param memoryBytes what the session's variables take behind it
  public record Used(long operations, long memoryBytes) {}
}
