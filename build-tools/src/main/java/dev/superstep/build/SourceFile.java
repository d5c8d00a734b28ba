package dev.superstep.build;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// One Java source of this repository. Immutable; `path` is relative to the repository's root.
record SourceFile(Path root, Path path, String text) {
  private static final List<String> SOURCE_FOLDERS = List.of("src/main/java", "src/test/java");

  /// Every source of every module, by path.
  static List<SourceFile> all(Path root) {
    return Module.all(root).stream()
        .flatMap(module -> SOURCE_FOLDERS.stream().map(module.folder()::resolve))
        .filter(Files::isDirectory)
        .flatMap(folder -> in(root, folder).stream())
        .toList();
  }

  private static List<SourceFile> in(Path root, Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .sorted()
          .map(file -> read(root, file))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static SourceFile read(Path root, Path file) {
    try {
      return new SourceFile(root, root.relativize(file), Files.readString(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  List<String> lines() {
    return text.lines().toList();
  }

  /// Rewrites the file on disk.
  void write(String newText) {
    try {
      Files.writeString(root.resolve(path), newText);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
