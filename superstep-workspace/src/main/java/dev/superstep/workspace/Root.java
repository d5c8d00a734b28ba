package dev.superstep.workspace;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;

/// A directory below which a workspace may work. Immutable.
///
/// @param real its canonical path
/// @param key what the file system tells it by, if it does; so that another directory which is put
///   in its place is not taken for it
record Root(Path real, boolean isWritable, Optional<Object> key) {
  /// @throws IllegalArgumentException if there is no such directory
  static Root of(Path directory, boolean isWritable) {
    try {
      var real = directory.toRealPath();
      if (!Files.isDirectory(real)) throw new NotDirectoryException(directory.toString());
      var found = Files.readAttributes(real, BasicFileAttributes.class);
      return new Root(real, isWritable, Optional.ofNullable(found.fileKey()));
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "A workspace needs a directory that exists, and `" + directory + "` is none.",
          new UncheckedIOException(e));
    }
  }

  /// The way from here to a canonical path, if that is inside. The file system is asked whether two
  /// directories are the same: names may differ in case or in their Unicode form, and yet be one.
  Optional<Path> wayTo(Path canonical) {
    if (canonical.equals(real)) return Optional.of(Path.of(""));
    for (var at = canonical; at != null; at = at.getParent()) {
      if (at.equals(real) || isSame(at)) return Optional.of(at.relativize(canonical));
    }
    return Optional.empty();
  }

  private boolean isSame(Path directory) {
    try {
      return Files.isSameFile(directory, real);
    } catch (IOException _) {
      return false; // what cannot be looked at is not trusted
    }
  }
}
