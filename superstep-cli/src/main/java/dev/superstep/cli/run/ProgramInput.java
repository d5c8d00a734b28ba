package dev.superstep.cli.run;

import dev.superstep.cli.host.Host;
import dev.superstep.cli.host.ProgramFolder;
import dev.superstep.cli.host.UsageError;
import dev.superstep.program.Program;
import dev.superstep.run.Input;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;

/// The input of a program as the user named it: a path, or a text that no file has as its name.
///
/// @param path empty if it is a text
/// @param text empty if it is a path
record ProgramInput(Path path, String text) {
  /// Words that are meant as a file: one without blanks, with a folder or an ending.
  private static final Pattern FILE = Pattern.compile("\\S*[/\\\\]\\S*|\\S+\\.[A-Za-z0-9]{1,5}");

  /// The input that the command or the folder names.
  ///
  /// @throws UsageError if there is none
  static ProgramInput of(Host host, Optional<String> typed, ProgramFolder folder) {
    if (typed.filter(text -> isText(host, text)).isPresent()) {
      return new ProgramInput(Path.of(""), typed.get());
    }
    var where = "under [program] in " + folder.root().resolve(ProgramFolder.FILE);
    return new ProgramInput(existing(typed.map(host::path).or(folder::input), where), "");
  }

  /// A path that exists.
  ///
  /// @param where the user may name it, too
  /// @throws UsageError if there is none
  static Path existing(Optional<Path> named, String where) {
    var input =
        named.orElseThrow(() ->
            new UsageError(
                "input.none",
                "Nothing to work on: name it with --input, or as `input` " + where + "."));
    if (Files.exists(input)) return input;
    throw missing(input);
  }

  private static boolean isText(Host host, String typed) {
    if (typed.isBlank() || FILE.matcher(typed).matches()) return false;
    // What is no path at all is a text.
    try {
      return !Files.exists(host.path(typed));
    } catch (UsageError _) {
      return true;
    }
  }

  private static UsageError missing(Path input) {
    return new UsageError("input.missing", "There is no input " + input + ". Check the path.");
  }

  /// The input of the program's graph.
  ///
  /// @throws UsageError if it is a text and the program takes none
  Input of(Program program) {
    if (text.isEmpty()) return program.input(path);
    if (takesText(program)) return program.input(text);
    throw new UsageError(
        "input.missing",
        "There is no input `" + text + "`, and the program takes no text. Name a path.");
  }

  private static boolean takesText(Program program) {
    try {
      var method = program.getClass().getMethod("input", String.class);
      return method.getDeclaringClass() != Program.class;
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException("every program has it", e);
    }
  }
}
