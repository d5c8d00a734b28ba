package dev.superstep.bench.measure;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;

/// A new folder for files that are measured; deleted when it is closed.
public final class Folder implements Closeable {
  private final Path path;

  private Folder(Path path) {
    this.path = path;
  }

  /// A new one, in the system's folder for such.
  public static Folder fresh() throws IOException {
    return new Folder(Files.createTempDirectory("superstep-bench-"));
  }

  /// The folder itself.
  public Path path() {
    return path;
  }

  /// A file in it, which is not made.
  public Path file(String name) {
    return path.resolve(name);
  }

  /// How much is in it.
  public long bytes() throws IOException {
    long sum = 0;
    try (var files = Files.list(path)) {
      for (var file : files.toList()) sum += Files.size(file);
    }
    return sum;
  }

  @Override
  public void close() throws IOException {
    try (var files = Files.walk(path)) {
      for (var file : files.sorted(Comparator.reverseOrder()).toList()) Files.deleteIfExists(file);
    }
  }
}
