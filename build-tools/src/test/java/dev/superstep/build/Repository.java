package dev.superstep.build;

import java.nio.file.Path;
import java.util.List;

/// The sources that the checks look at, read once.
final class Repository {
  static final Path ROOT = Path.of(System.getProperty("superstep.root")).normalize();
  static final List<SourceFile> SOURCES = SourceFile.all(ROOT);
  static final Declarations.Found DECLARED = Declarations.in(SOURCES);

  private Repository() {}

  /// Shown, but no reason to fail.
  static void talk(String about, List<String> notes) {
    if (!notes.isEmpty()) {
      System.out.println("[talk] " + about + ":");
      notes.forEach(note -> System.out.println("  " + note));
    }
  }
}
