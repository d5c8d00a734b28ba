package dev.superstep.terminal;

import dev.superstep.terminal.risk.Assessment;
import dev.superstep.terminal.risk.Fact;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// Lets `cd` and `export` last from one command to the next: a command that may change the
/// directory or the variables of its shell says at its end where it is and what it exports, behind
/// a mark in its output that is cut off again.
final class ShellTracking {
  // Drawn for the process: an output of before cannot hold it.
  private static final String MARK = mark();
  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,127}");
  private static final int VARIABLES_MAX = 64;
  private static final int VALUE_MAX = 4_096;

  /// What the shell sets by itself, and what would change how later commands are read or loaded.
  private static final Set<String> NEVER =
      Set.of(
          "_",
          "PWD",
          "OLDPWD",
          "SHLVL",
          "IFS",
          "ENV",
          "BASH_ENV",
          "SHELLOPTS",
          "BASHOPTS",
          "PS4",
          "PROMPT_COMMAND",
          "CDPATH",
          "GLOBIGNORE",
          "HOME",
          "SHELL",
          "TERM");

  private static final Set<String> CHANGING =
      Set.of("cd", "pushd", "popd", "export", "declare", "unset", "eval", "source", ".");

  private ShellTracking() {}

  /// The shell of a command at its end.
  ///
  /// @param stdout what the command printed, without what we added
  /// @param directory where it was; empty if it did not say
  /// @param exported variables that are new or have another value
  record After(String stdout, Optional<Path> directory, Map<String, String> exported) {}

  static boolean isNeeded(Assessment risk) {
    // Nothing is known of a command without facts; and what is evaluated may be anything.
    return risk.facts().isEmpty()
        || risk.values(Fact.Kind.RUNS).stream().anyMatch(CHANGING::contains)
        || !risk.values(Fact.Kind.CHANGES_DIRECTORY).isEmpty()
        || !risk.values(Fact.Kind.ENVIRONMENT).isEmpty();
  }

  /// The command, and behind it what reports. The command itself is not changed.
  static String wrapped(String command) {
    return "trap 'printf \"\\n%s\\n\" " + MARK + "; pwd -P; env -0' EXIT\n" + command;
  }

  /// Reads the report.
  ///
  /// @param before the variables that the command was given
  static After read(String stdout, Map<String, String> before, boolean isByPerson) {
    int mark = stdout.lastIndexOf("\n" + MARK + "\n");
    if (mark < 0) return new After(stdout, Optional.empty(), Map.of());
    var printed = stdout.substring(0, mark);
    var report = stdout.substring(mark + MARK.length() + 2);
    int line = report.indexOf('\n');
    if (line < 0) return new After(printed, Optional.empty(), Map.of());
    var exported = new LinkedHashMap<String, String>();
    for (var entry : report.substring(line + 1).split("\0")) {
      int equals = entry.indexOf('=');
      if (equals <= 0 || exported.size() >= VARIABLES_MAX) continue;
      var name = entry.substring(0, equals);
      var value = entry.substring(equals + 1);
      if (mayLast(name, value, isByPerson) && !value.equals(before.get(name))) {
        exported.put(name, value);
      }
    }
    return new After(printed, directory(report.substring(0, line)), exported);
  }

  private static boolean mayLast(String name, String value, boolean isByPerson) {
    if (NEVER.contains(name) || name.startsWith("LD_") || name.startsWith("DYLD_")) return false;
    // Where programs are found is for a person to change, not for a command that a model proposed.
    if (name.equals("PATH") && !isByPerson) return false;
    return NAME.matcher(name).matches() && value.length() <= VALUE_MAX;
  }

  private static Optional<Path> directory(String path) {
    try {
      var directory = Path.of(path);
      return directory.isAbsolute() && Files.isDirectory(directory)
          ? Optional.of(directory)
          : Optional.empty();
    } catch (InvalidPathException _) {
      return Optional.empty();
    }
  }

  private static String mark() {
    var bytes = new byte[16];
    new SecureRandom().nextBytes(bytes);
    return "superstep-" + HexFormat.of().formatHex(bytes);
  }
}
