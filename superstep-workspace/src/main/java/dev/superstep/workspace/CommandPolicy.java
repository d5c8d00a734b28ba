package dev.superstep.workspace;

import static java.util.Objects.requireNonNull;

import dev.superstep.tool.ToolError;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Decides whether a command may run, and finds its program: by the directories that were known
/// when the workspace was made, never by the directory that it runs in. Immutable.
///
/// @param directories where programs are looked for, in this order; absolute
record CommandPolicy(List<AllowedCommand> allowed, List<Path> directories) {
  private static final List<String> ENDINGS =
      File.separatorChar == '/' ? List.of("") : List.of(".exe", ".com");

  CommandPolicy {
    allowed = List.copyOf(allowed);
    directories = List.copyOf(directories);
  }

  /// The directories of a search path. Those that are relative are left out: they would depend on
  /// where a command runs.
  static List<Path> directories(String searchPath) {
    var found = new ArrayList<Path>();
    for (var one : searchPath.split(Pattern.quote(File.pathSeparator), -1)) {
      try {
        if (Path.of(one).isAbsolute()) found.add(Path.of(one));
      } catch (InvalidPathException _) {
        // Nothing can be there.
      }
    }
    return found;
  }

  CommandPolicy and(List<AllowedCommand> more) {
    var all = new ArrayList<>(allowed);
    all.addAll(more);
    return new CommandPolicy(all, directories);
  }

  /// A command that may run: its program's file, and what is asked of its arguments.
  record Permit(Path program, AllowedCommand.Arguments arguments) {}

  /// Looks a command up.
  ///
  /// @throws ToolError.ForbiddenCommand if it may not run
  /// @throws ToolError.PathEscape if one of its arguments leads out of the workspace
  Permit check(List<String> command, PathResolver places) {
    if (command.isEmpty() || command.getFirst().isEmpty()) {
      throw forbidden(command, "names no program");
    }
    if (command.stream().anyMatch(word -> word.indexOf('\0') >= 0)) {
      throw forbidden(command, "has a character that no command can have");
    }
    var name = command.getFirst();
    if (allowed.stream().noneMatch(one -> one.program().equals(name))) {
      throw forbidden(
          command,
          name.indexOf(' ') < 0
              ? "is not allowed"
              : "is one word and no program; give each argument as a word of its own");
    }
    var arguments = rule(command, places).arguments();
    if (Path.of(name).isAbsolute()) return new Permit(Path.of(name), arguments);
    var found = find(name).orElseThrow(() -> forbidden(command, "is allowed, and not installed"));
    // An agent that may write files must not thereby choose what a name runs.
    if (isWithin(found, places)) throw forbidden(command, "is a file of the workspace itself");
    return new Permit(found, arguments);
  }

  private AllowedCommand rule(List<String> command, PathResolver places) {
    ToolError.@Nullable PathEscape escape = null;
    for (var one : allowed) {
      try {
        if (one.allows(command, places)) return one;
      } catch (ToolError.PathEscape e) {
        escape = e;
      }
    }
    if (escape != null) throw escape;
    throw forbidden(command, "is not allowed with these arguments");
  }

  /// The search path for what runs: without directories in which an agent may write programs.
  String searchPath(PathResolver places) {
    return directories.stream()
        .filter(directory -> !isWithin(directory.resolve("."), places))
        .map(Path::toString)
        .collect(Collectors.joining(File.pathSeparator));
  }

  private Optional<Path> find(String name) {
    for (var directory : directories) {
      for (var ending : ENDINGS) {
        var file = directory.resolve(name + ending);
        if (Files.isRegularFile(file) && Files.isExecutable(file)) return Optional.of(file);
      }
    }
    return Optional.empty();
  }

  /// Returns whether the file, or the directory in which it was found, is in a root. It may be a
  /// link there, or a link from outside into one.
  private static boolean isWithin(Path program, PathResolver places) {
    try {
      var directory = requireNonNull(program.getParent()).toRealPath();
      return places.place(program.toRealPath(), "").isPresent()
          || places.place(directory, "").isPresent();
    } catch (IOException _) {
      return true; // gone, or not to be looked at: not to be run
    }
  }

  private ToolError.ForbiddenCommand forbidden(List<String> command, String why) {
    return new ToolError.ForbiddenCommand(
        String.join(" ", command), why, allowed.stream().map(AllowedCommand::toString).toList());
  }
}
