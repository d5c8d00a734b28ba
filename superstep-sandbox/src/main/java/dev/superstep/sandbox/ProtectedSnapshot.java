package dev.superstep.sandbox;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Fingerprints of protected names, to tell afterwards which have changed, in the tiers that cannot
/// protect them. The kernel's time of change is among them, which no command can set. Immutable.
///
/// @param prints a fingerprint for each name
record ProtectedSnapshot(Map<Path, String> prints) {
  private static final int FILES_MAX = 2_000;

  ProtectedSnapshot {
    prints = Map.copyOf(prints);
  }

  static ProtectedSnapshot of(SandboxCommand command) {
    var prints = new LinkedHashMap<Path, String>();
    for (var root : command.writable()) {
      for (var name : command.protectedNames().names()) {
        var path = root.resolve(name);
        prints.put(path, print(path));
      }
    }
    return new ProtectedSnapshot(prints);
  }

  /// The names that differ now.
  List<Path> changed() {
    var changed = new TreeMap<Path, String>();
    prints.forEach((path, print) -> {
      var now = print(path);
      if (!now.equals(print)) changed.put(path, now);
    });
    return List.copyOf(changed.keySet());
  }

  private static String print(Path path) {
    if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) return "missing";
    var all = new TreeMap<String, String>();
    try {
      Files.walkFileTree(path, new Visitor(path, all));
    } catch (IOException e) {
      return "unreadable: " + e.getClass().getName();
    }
    return all.toString();
  }

  private static final class Visitor extends SimpleFileVisitor<Path> {
    private final Path root;
    private final Map<String, String> all;

    Visitor(Path root, Map<String, String> all) {
      this.root = root;
      this.all = all;
    }

    @Override
    public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes)
        throws IOException {
      return add(folder, attributes);
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      return add(file, attributes);
    }

    private FileVisitResult add(Path file, BasicFileAttributes attributes) throws IOException {
      var views = file.getFileSystem().supportedFileAttributeViews();
      var changed =
          views.contains("unix")
              ? Files.getAttribute(file, "unix:ctime", LinkOption.NOFOLLOW_LINKS)
              : attributes.lastModifiedTime();
      all.put(
          root.relativize(file).toString(),
          "%s %d %s".formatted(attributes.fileKey(), attributes.size(), changed));
      return all.size() < FILES_MAX ? FileVisitResult.CONTINUE : FileVisitResult.TERMINATE;
    }
  }
}
