package dev.superstep.terminal.shell;

import dev.superstep.language.Diagnostic;
import dev.superstep.language.Source;
import java.util.List;

/// The syntax tree of shell text, with the places of everything in it. What the parser does not
/// understand is an opaque node with a diagnostic, so a reader who treats such nodes as dangerous
/// misses nothing. Immutable.
///
/// @param source the text
/// @param body its commands
/// @param diagnostics what is wrong or not understood; empty for a text that was read in full
public record ShellScript(Source source, ShellCommand.Sequence body, List<Diagnostic> diagnostics) {
  /// The longest text that is parsed, in `char`s.
  public static final int LENGTH_MAX = 256 * 1024;

  /// The deepest nesting of commands and expansions that is parsed.
  public static final int DEPTH_MAX = 48;

  public ShellScript {
    diagnostics = List.copyOf(diagnostics);
  }

  /// Parses a command line or a script. Never throws.
  public static ShellScript parse(String text) {
    return parse(Source.of("command", text));
  }

  /// Parses a command line or a script under the name of its source. Never throws.
  public static ShellScript parse(Source source) {
    return ScriptParser.parse(source, MappedText.of(source.text()));
  }

  /// Parses text that another script builds, such as the argument of `sh -c`; all spans are in the
  /// outer source. Never throws.
  public static ShellScript parse(Source outer, MappedText inner) {
    return ScriptParser.parse(outer, inner);
  }

  /// Returns whether all of the text was understood.
  public boolean isComplete() {
    return diagnostics.isEmpty();
  }
}
