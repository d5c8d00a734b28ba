package dev.superstep.sandbox;

import java.nio.file.Files;
import java.nio.file.Path;

/// Finds the file of a program.
final class Programs {
  private static final String WINDOWS_SUFFIX = ".exe";

  private Programs() {}

  /// Returns the file that a word stands for.
  ///
  /// @param path the search path
  /// @throws SandboxError.NotStarted if there is none
  static Path find(String word, Path directory, String path) {
    if (word.indexOf('/') >= 0 || Path.of(word).isAbsolute()) {
      var file = directory.resolve(word).normalize();
      if (isProgram(file)) return file;
      throw new SandboxError.NotStarted(word, "there is no such program", null);
    }
    for (var folder : path.split(java.io.File.pathSeparator)) {
      // An empty or relative part would mean the directory that the command runs in.
      if (folder.isEmpty() || !Path.of(folder).isAbsolute()) continue;
      for (var name : new String[] {word, word + WINDOWS_SUFFIX}) {
        var file = Path.of(folder).resolve(name);
        if (isProgram(file)) return file;
      }
    }
    throw new SandboxError.NotStarted(word, "no program of that name is in " + path, null);
  }

  private static boolean isProgram(Path file) {
    return Files.isRegularFile(file) && Files.isExecutable(file);
  }
}
