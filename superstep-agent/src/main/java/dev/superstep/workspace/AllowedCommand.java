package dev.superstep.workspace;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/// A program that may be run in a [Workspace], with any arguments or with these subcommands only.
/// Immutable.
///
/// ```java
/// AllowedCommand.named("git").only("status", "diff")
/// ```
///
/// It says which program starts, not what it does then: many programs run others, or read and write
/// anywhere, if their arguments or their settings tell them to, and an agent that may write files
/// may write settings. Allow what does no harm whatever its arguments are, and let a person approve
/// the rest.
///
/// @param program a name that is looked up, or an absolute path
/// @param subcommands what the first argument may be; anything if there are none
public record AllowedCommand(String program, List<String> subcommands) {
  private static final Pattern NAME = Pattern.compile("[\\p{Alnum}._+][\\p{Alnum}._+-]*");

  public AllowedCommand {
    var isName = NAME.matcher(program).matches() && !program.matches("\\.+");
    if (!isName && !Path.of(program).isAbsolute()) {
      throw new IllegalArgumentException(
          "program must be a name without slashes or an absolute path, was `" + program + "`");
    }
    subcommands = List.copyOf(subcommands);
  }

  /// The program of that name, wherever [Workspace#programsIn] has it.
  public static AllowedCommand named(String program) {
    return new AllowedCommand(program, List.of());
  }

  /// The program in that file, by this path only. It may be in the workspace, where an agent that
  /// may write files may write it too.
  public static AllowedCommand at(Path program) {
    return new AllowedCommand(program.toString(), List.of());
  }

  /// The same, if its first argument is one of these.
  public AllowedCommand only(String... first) {
    if (first.length == 0) throw new IllegalArgumentException("only must name a subcommand");
    return new AllowedCommand(program, List.of(first));
  }

  /// Whether it is this program with arguments that are allowed.
  boolean allows(List<String> command) {
    if (!program.equals(command.getFirst())) return false;
    return subcommands.isEmpty() || (command.size() > 1 && subcommands.contains(command.get(1)));
  }

  @Override
  public String toString() {
    return subcommands.isEmpty() ? program : program + " " + String.join("|", subcommands);
  }
}
