package dev.superstep.terminal.shell;

import dev.superstep.language.Span;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A part of a word: text that stays as it is, or something that the shell expands. Immutable.
public sealed interface WordPart {
  /// Where it stands; of quoted text, the place between the quotes.
  Span span();

  /// Text after the removal of quotes and backslashes.
  record Literal(String value, boolean isQuoted, Span span) implements WordPart {}

  /// `$name` or `${name...}`.
  ///
  /// @param name such as `HOME`, `1`, `@` or `#`
  /// @param operator behind the name, such as `:-` or `##`; `#` or `!` before the name as `#name`
  ///   and `!name`; empty if there is none
  /// @param argument of the operator
  record Parameter(
      String name, String operator, @Nullable Word argument, boolean isQuoted, Span span)
      implements WordPart {}

  /// The output of a command: `$( )` or backticks.
  record CommandOutput(ShellCommand.Sequence body, boolean isQuoted, Span span)
      implements WordPart {}

  /// A command as a file: `<( )`, or `>( )` where it reads what is written.
  record ProcessFile(ShellCommand.Sequence body, boolean isWritten, Span span)
      implements WordPart {}

  /// `$(( ))` or `$[ ]`, with the expansions in it.
  record Arithmetic(List<WordPart> parts, Span span) implements WordPart {
    public Arithmetic {
      parts = List.copyOf(parts);
    }
  }

  /// An unquoted pattern of file names: `*`, `?`, `[...]` or an extended one.
  record Glob(String pattern, Span span) implements WordPart {}

  /// `~` or `~user` at the beginning of a word.
  record Tilde(String user, Span span) implements WordPart {}

  /// `{a,b}` or `{1..9}`; an empty list of choices is a range.
  record Braces(List<Word> choices, String raw, Span span) implements WordPart {
    public Braces {
      choices = List.copyOf(choices);
    }
  }

  /// Text that was not understood; a diagnostic says why.
  record Opaque(String reason, Span span) implements WordPart {}
}
