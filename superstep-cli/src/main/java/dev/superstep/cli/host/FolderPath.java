package dev.superstep.cli.host;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;

/// Paths that a configuration writes, which must not leave its folder.
public final class FolderPath {
  private FolderPath() {}

  /// Returns a path inside a folder; empty if it leaves it, also by a link.
  public static Optional<Path> inside(Path root, String text) {
    try {
      var path = root.resolve(text).normalize();
      // What does not exist yet is judged by the part that does; a link to nothing does not.
      var existing = path;
      while (!Files.exists(existing) && existing.getParent() != null) {
        if (Files.isSymbolicLink(existing)) return Optional.empty();
        existing = existing.getParent();
      }
      boolean stays = path.startsWith(root) && FolderConfig.real(existing).startsWith(root);
      return stays ? Optional.of(path) : Optional.empty();
    } catch (InvalidPathException _) {
      return Optional.empty();
    }
  }
}
