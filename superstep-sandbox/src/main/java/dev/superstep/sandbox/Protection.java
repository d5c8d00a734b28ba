package dev.superstep.sandbox;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Protected names of a command as mounts that cannot be written. What is not there yet is made,
/// empty, for the time of the run, since only what is there can be mounted over. One thread, but for
/// [#close].
final class Protection implements AutoCloseable {
  /// How many running commands need each empty file that was made.
  private static final Map<Path, Integer> PLACEHOLDERS = new HashMap<>();

  private final Set<Path> parents = new LinkedHashSet<>();
  private final Set<Path> names = new LinkedHashSet<>();
  private final List<Path> made = new ArrayList<>();

  private Protection() {}

  /// Makes what must be there.
  ///
  /// @throws SandboxError.Unprotectable if a name is a link
  static Protection of(SandboxCommand command) throws IOException {
    var protection = new Protection();
    try {
      for (var writable : command.writable()) {
        var root = Launcher.real(command, writable);
        for (var name : command.protectedNames().names()) protection.add(root, name);
      }
    } catch (IOException | RuntimeException e) {
      protection.close();
      throw e;
    }
    return protection;
  }

  private void add(Path root, String name) throws IOException {
    var path = root;
    for (var part : Path.of(name)) {
      var outer = path;
      path = path.resolve(part);
      if (Files.isSymbolicLink(path)) throw new SandboxError.Unprotectable(path);
      boolean isLast = path.equals(root.resolve(name));
      if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS) || isHeld(path)) {
        hold(path, !isLast || name.endsWith("/"));
        names.add(path);
        return;
      }
      if (isLast || !Files.isDirectory(path)) {
        names.add(path);
        return;
      }
      // Else it could be renamed, and another made in its place.
      if (!outer.equals(path)) parents.add(path);
    }
  }

  private static boolean isHeld(Path path) {
    synchronized (PLACEHOLDERS) {
      return PLACEHOLDERS.containsKey(path);
    }
  }

  private void hold(Path path, boolean isDirectory) throws IOException {
    synchronized (PLACEHOLDERS) {
      boolean isNew = !PLACEHOLDERS.containsKey(path);
      if (isNew && !create(path, isDirectory)) return;
      if (made.contains(path)) return;
      PLACEHOLDERS.merge(path, 1, Integer::sum);
      made.add(path);
    }
  }

  private static boolean create(Path path, boolean isDirectory) throws IOException {
    try {
      if (isDirectory) Files.createDirectory(path);
      else Files.createFile(path);
      return true;
    } catch (FileAlreadyExistsException _) {
      return false; // somebody made it meanwhile, so it is not ours to remove
    }
  }

  /// The words that mount them.
  List<String> words() {
    var words = new ArrayList<String>();
    for (var path : parents) words.addAll(List.of("--bind", path.toString(), path.toString()));
    for (var path : names) words.addAll(List.of("--ro-bind", path.toString(), path.toString()));
    return words;
  }

  /// Removes what was made, if it is still empty and no other command needs it.
  @Override
  public void close() {
    synchronized (PLACEHOLDERS) {
      for (var path : made) {
        if (PLACEHOLDERS.merge(path, -1, Integer::sum) > 0) continue;
        PLACEHOLDERS.remove(path);
        removeIfEmpty(path);
      }
      made.clear();
    }
  }

  private static void removeIfEmpty(Path path) {
    try {
      boolean isDirectory = Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS);
      if (isDirectory || Files.size(path) == 0) Files.deleteIfExists(path);
    } catch (IOException _) {
      return; // it has content by now, so it is somebody's
    }
  }
}
