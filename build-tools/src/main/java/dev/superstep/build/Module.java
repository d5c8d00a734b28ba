package dev.superstep.build;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// One Maven module of this repository, found by its pom.
record Module(String name, Path folder) {
  static List<Module> all(Path root) {
    return Stream.of(root, root.resolve("examples"))
        .filter(Files::isDirectory)
        .flatMap(parent -> folders(parent).stream())
        .filter(folder -> Files.isRegularFile(folder.resolve("pom.xml")))
        .map(folder -> new Module(root.relativize(folder).toString(), folder))
        .toList();
  }

  private static List<Path> folders(Path parent) {
    try (Stream<Path> children = Files.list(parent)) {
      return children.filter(Files::isDirectory).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Where the full build (not `-Ddev`) leaves the classes; may be absent.
  Path classes() {
    return folder.resolve("target/classes");
  }
}
