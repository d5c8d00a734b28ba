package dev.superstep.terminal.risk;

import dev.superstep.language.Span;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A program that a command runs, with its arguments, found through pipelines, substitutions and
/// wrappers. `sudo env A=1 rm x` makes three: `sudo`, `env` and `rm`. Immutable.
///
/// @param program the word that names it; [Argument#value] is `null` if the shell computes it
/// @param wrappers names of the programs that run it, the outermost first
/// @param isCertain whether the arguments are all there; `xargs` adds some
public record Invocation(
    Argument program,
    List<Argument> arguments,
    List<String> wrappers,
    boolean isCertain,
    Span span) {
  public Invocation {
    arguments = List.copyOf(arguments);
    wrappers = List.copyOf(wrappers);
  }

  /// A word of an invocation.
  ///
  /// @param value after expansion; `null` if only the shell knows it
  /// @param isPattern whether the shell replaces it by names of files
  public record Argument(@Nullable String value, boolean isPattern, Span span) {
    /// Returns whether the value is known and is passed as it is.
    public boolean isLiteral() {
      return value != null && !isPattern;
    }
  }

  /// The name of the program without its directory, if it is known.
  public Optional<String> name() {
    var value = program.value();
    return value == null
        ? Optional.empty()
        : Optional.of(value.substring(value.lastIndexOf('/') + 1));
  }

  /// Returns whether the program and all arguments are literal and complete.
  public boolean isLiteral() {
    return isCertain && program.isLiteral() && arguments.stream().allMatch(Argument::isLiteral);
  }
}
