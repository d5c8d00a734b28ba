package dev.superstep.cli.host;

import java.util.Map;
import java.util.Optional;
import java.util.function.IntSupplier;

/// The far end of standard output. On a terminal, text is fitted into its width and may have
/// colours; a file or another program gets whole lines without any.
///
/// @param isTerminal whether standard output is a terminal
/// @param isColored whether colours are wanted
/// @param size the columns of the terminal of this process, also if standard output is not one
public record Display(boolean isTerminal, boolean isColored, IntSupplier size) {
  private static final int COLUMNS_MIN = 20;

  /// When text has colours.
  public enum Colors {
    /// On a terminal that has them, unless a variable says otherwise.
    AUTO,
    ALWAYS,
    NEVER
  }

  /// A file.
  public static Display file() {
    return new Display(false, false, () -> 80);
  }

  /// The display that a stream and the environment make.
  static Display of(boolean isTerminal, Map<String, String> variables, IntSupplier size) {
    return new Display(isTerminal, isColored(isTerminal, variables), size);
  }

  /// The columns that text has to fit into; empty if there is no limit.
  public Optional<Integer> columns() {
    return isTerminal ? Optional.of(Math.max(COLUMNS_MIN, size.getAsInt())) : Optional.empty();
  }

  /// Returns a copy for an environment that was changed.
  Display in(Map<String, String> variables) {
    return of(isTerminal, variables, size);
  }

  /// The variables that say the same as an option.
  static Map<String, String> variables(Colors when) {
    return switch (when) {
      case AUTO -> Map.of();
      case ALWAYS -> Map.of("NO_COLOR", "", "CLICOLOR_FORCE", "1");
      case NEVER -> Map.of("NO_COLOR", "1", "CLICOLOR_FORCE", "");
    };
  }

  /// By the conventions of no-color.org and bixense.com/clicolors: the first that is set wins.
  private static boolean isColored(boolean isTerminal, Map<String, String> variables) {
    if (!variables.getOrDefault("NO_COLOR", "").isEmpty()) return false;
    var forced = variables.getOrDefault("CLICOLOR_FORCE", "");
    if (!forced.isEmpty() && !forced.equals("0")) return true;
    if (variables.getOrDefault("CLICOLOR", "").equals("0")) return false;
    var kind = variables.getOrDefault("TERM", "");
    return isTerminal && !kind.isEmpty() && !kind.equals("dumb");
  }
}
