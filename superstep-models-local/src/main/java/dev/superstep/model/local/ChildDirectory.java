package dev.superstep.model.local;

import dev.superstep.file.PrivateFiles;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.UserPrincipal;

/// A temporary directory of one child. Its parent holds a lock on a file beside it, which the
/// system takes back when the parent dies, however it dies; so whoever starts a child next can tell
/// which directories nobody needs, and removes them. Used by one thread.
final class ChildDirectory implements AutoCloseable {
  private static final String PREFIX = "superstep-llama-";
  private static final String LOCK = ".lock";
  private static final int TRIES_MAX = 10;

  private final Path path;
  private final Path file;
  private final FileChannel lock;

  private ChildDirectory(Path file, FileChannel lock) {
    this.path = directory(file);
    this.file = file;
    this.lock = lock;
  }

  /// A new one in the system's directory for such. Removes those that are left behind first.
  static ChildDirectory create() throws IOException {
    return create(Path.of(System.getProperty("java.io.tmpdir")));
  }

  static ChildDirectory create(Path parent) throws IOException {
    for (int tries = 0; tries < TRIES_MAX; tries++) {
      var file = Files.createTempFile(parent, PREFIX, LOCK);
      var lock = FileChannel.open(file, StandardOpenOption.WRITE);
      // Somebody who cleans up may have been between the two, and then it is gone.
      if (lock.tryLock() != null && Files.exists(file)) {
        sweep(parent, file);
        var made = new ChildDirectory(file, lock);
        PrivateFiles.createDirectories(made.path);
        return made;
      }
      lock.close();
    }
    throw new IOException("no directory for the process could be made in " + parent);
  }

  private static Path directory(Path file) {
    var name = file.getFileName().toString();
    return file.resolveSibling(name.substring(0, name.length() - LOCK.length()));
  }

  Path path() {
    return path;
  }

  /// Removes the directories of those who died.
  private static void sweep(Path parent, Path own) {
    try (var all = Files.newDirectoryStream(parent, PREFIX + "*" + LOCK)) {
      var owner = Files.getOwner(own);
      for (var file : all) {
        if (!file.getFileName().equals(own.getFileName()) && isOf(owner, file)) sweep(file, owner);
      }
    } catch (IOException | DirectoryIteratorException | UnsupportedOperationException _) {
      // What cannot be looked at now is removed another time, or by the system.
    }
  }

  private static boolean isOf(UserPrincipal owner, Path file) throws IOException {
    return !Files.isSymbolicLink(file)
        && Files.getOwner(file, LinkOption.NOFOLLOW_LINKS).equals(owner);
  }

  private static void sweep(Path file, UserPrincipal owner) throws IOException {
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) return;
    try (var channel =
        FileChannel.open(file, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
      if (channel.tryLock() == null) return; // its parent lives
      var directory = directory(file);
      if (Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS) && isOf(owner, directory)) {
        remove(directory);
      }
      Files.deleteIfExists(file);
    } catch (OverlappingFileLockException _) {
      // This process has it.
    }
  }

  private static void remove(Path directory) {
    var files = directory.toFile().listFiles();
    if (files != null) {
      for (var file : files) {
        var _ = file.delete();
      }
    }
    var _ = directory.toFile().delete();
  }

  /// Removes it.
  @Override
  public void close() {
    remove(path);
    try {
      Files.deleteIfExists(file);
      lock.close();
    } catch (IOException _) {
      // The next one removes it.
    }
  }
}
