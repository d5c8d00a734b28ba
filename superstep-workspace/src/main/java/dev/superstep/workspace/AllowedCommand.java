package dev.superstep.workspace;

import dev.superstep.tool.ToolError;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// A program that may run in a [Workspace], and its allowed arguments: unless set otherwise, words
/// that stay inside the workspace when read as paths, and no options. Immutable; each method
/// returns a changed copy.
///
/// ```java
/// AllowedCommand.git("status", "diff")
/// AllowedCommand.named("ls").options("-l", "-a")
/// AllowedCommand.named("cargo").only("check", "fmt").options("--all")
/// ```
///
/// It limits which program starts and its arguments, not what the program does: an interpreter or a
/// build tool runs files of the workspace, and an agent that may write files may write those. Allow
/// programs that do no harm with any file, let a person approve the rest, and run the whole process
/// in a sandbox (a container, another user) if files and programs outside must stay out of reach.
public final class AllowedCommand {
  private static final Pattern NAME = Pattern.compile("[\\p{Alnum}._+][\\p{Alnum}._+-]*");

  /// After these characters a word may contain a path: `if=/etc/passwd`, `@/etc/passwd`,
  /// `main:../x`.
  private static final Pattern BEFORE_PATHS = Pattern.compile("[=@:,;]");

  private final String program;
  private final List<String> subcommands;
  private final Set<String> options;
  private final Arguments arguments;

  /// The check of its arguments.
  enum Arguments {
    /// Allows listed options, and paths of the workspace.
    CHECKED,
    /// Like [#CHECKED], with settings that stop git from running programs or reading elsewhere.
    CHECKED_FOR_GIT,
    /// Allows all arguments.
    ANY
  }

  private AllowedCommand(
      String program, List<String> subcommands, Set<String> options, Arguments arguments) {
    var isName = NAME.matcher(program).matches() && !program.matches("\\.+");
    if (!isName && !Path.of(program).isAbsolute()) {
      throw new IllegalArgumentException(
          "program must be a name without slashes or an absolute path, was `" + program + "`");
    }
    this.program = program;
    this.subcommands = List.copyOf(subcommands);
    this.options = options;
    this.arguments = arguments;
  }

  /// The program of that name, wherever [Workspace#programsIn] has it.
  public static AllowedCommand named(String program) {
    return new AllowedCommand(program, List.of(), Set.of(), Arguments.CHECKED);
  }

  /// The program in that file, by this path only. It may be in the workspace, where an agent that
  /// may write files may write it too.
  public static AllowedCommand at(Path program) {
    return new AllowedCommand(program.toString(), List.of(), Set.of(), Arguments.CHECKED);
  }

  /// Git for looking at the repository in the root of the workspace. It runs without hooks, pagers,
  /// external diffs, converters, filters, file system monitors and submodules, without the settings
  /// of the user and the system, reaches no network, and compares no files outside. Files that a
  /// filter changes (those of Git LFS) show as modified. Options are those that choose how much is
  /// shown.
  ///
  /// @param subcommands of `status`, `diff`, `log` and `show`
  public static AllowedCommand git(String... subcommands) {
    for (var one : subcommands) {
      if (!GitGuard.SUBCOMMANDS.contains(one)) {
        throw new IllegalArgumentException(
            "git can be guarded for %s only, was `%s`; use named(\"git\") and let a person approve"
                .formatted(GitGuard.SUBCOMMANDS, one));
      }
    }
    return new AllowedCommand("git", List.of(), GitGuard.OPTIONS, Arguments.CHECKED_FOR_GIT)
        .only(subcommands);
  }

  /// Requires one of these as the first argument. The rules for the other arguments do not change.
  public AllowedCommand only(String... first) {
    if (first.length == 0) throw new IllegalArgumentException("only must name a subcommand");
    return new AllowedCommand(program, List.of(first), options, arguments);
  }

  /// With these options besides, exactly as they are written: `-l` does not allow `-la`. One that
  /// ends with `=` allows any value behind it. A value that is a word of its own is looked at like
  /// any other: as a path.
  public AllowedCommand options(String... more) {
    for (var one : more) {
      if (!one.startsWith("-")) {
        throw new IllegalArgumentException("an option begins with `-`, one was `" + one + "`");
      }
    }
    var all = new TreeSet<>(options);
    all.addAll(List.of(more));
    return new AllowedCommand(program, subcommands, all, arguments);
  }

  /// Allows any arguments. Most programs have an option that writes a file or runs another program
  /// (`sort -o`, `find -exec`, `tar --to-command`), so use this only for programs that can do no
  /// harm at all, or where a person approves each call.
  public AllowedCommand anyArguments() {
    return new AllowedCommand(program, subcommands, options, Arguments.ANY);
  }

  /// The name or path that a command must begin with.
  public String program() {
    return program;
  }

  Arguments arguments() {
    return arguments;
  }

  /// Returns whether the command is this program with allowed arguments.
  ///
  /// @throws ToolError.PathEscape if one of them leads out of the workspace
  boolean allows(List<String> command, PathResolver places) {
    if (!program.equals(command.getFirst())) return false;
    int first = 1;
    if (!subcommands.isEmpty()) {
      if (command.size() < 2 || !subcommands.contains(command.get(1))) return false;
      first = 2;
    }
    if (arguments == Arguments.ANY) return true;
    var words = command.subList(first, command.size());
    for (var word : words) if (word.startsWith("-") && !isOption(word)) return false;
    words.stream().filter(word -> !word.startsWith("-")).forEach(word -> check(word, places));
    return true;
  }

  private boolean isOption(String word) {
    int value = word.indexOf('=') + 1;
    return options.contains(value > 0 ? word.substring(0, value) : word);
  }

  /// Checks a word, and each part of it that may be a path, as a path.
  private static void check(String word, PathResolver places) {
    places.find(word);
    var before = BEFORE_PATHS.matcher(word);
    while (before.find()) places.find(word.substring(before.end()));
  }

  /// As it is shown to models: `git status|diff [--stat]`.
  @Override
  public String toString() {
    var text = new StringBuilder(program);
    if (!subcommands.isEmpty()) text.append(' ').append(String.join("|", subcommands));
    if (arguments != Arguments.ANY && !options.isEmpty()) {
      text.append(" [").append(String.join(" ", Stream.of(options).flatMap(Set::stream).toList()));
      text.append(']');
    }
    return text.toString();
  }
}
