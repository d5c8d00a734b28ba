package dev.superstep.file;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.Writer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.Set;
import java.util.UUID;

/// Files that only their owner may read, from their first byte on: events, recordings and whatever
/// else holds what people and models said. On systems without such permissions (Windows) they have
/// those of their directory.
///
/// A file that is there already keeps its permissions when it is added to, and loses them when it
/// is replaced.
public final class PrivateFiles {
  private static final Set<OpenOption> APPEND =
      Set.of(StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  private static final Set<OpenOption> NEW =
      Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);

  private PrivateFiles() {}

  /// Makes a directory, and those that it is in, as far as they are missing.
  public static void createDirectories(Path directory) throws IOException {
    var missing = new ArrayDeque<Path>();
    for (var at = directory.toAbsolutePath(); at != null; at = at.getParent()) {
      if (Files.exists(at)) break;
      missing.push(at);
    }
    var attributes = attributes(directory, "rwx------");
    // Another one may make the same at the same time; then it is there, and must be a directory.
    for (var one : missing) if (!isMade(one, attributes)) Files.createDirectories(one);
    if (missing.isEmpty()) Files.createDirectories(directory);
  }

  private static boolean isMade(Path directory, FileAttribute<?>... attributes) throws IOException {
    if (Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) return false;
    try {
      Files.createDirectory(directory, attributes);
      return true;
    } catch (java.nio.file.FileAlreadyExistsException _) {
      return false;
    }
  }

  /// Text at the end of a file, which is made if it is missing; also where a link points to nothing
  /// yet.
  public static Writer append(Path file) throws IOException {
    return new BufferedWriter(
        Channels.newWriter(
            FileChannel.open(file, APPEND, attributes(file, "rw-------")), StandardCharsets.UTF_8));
  }

  /// Bytes of a file that must not be there yet.
  ///
  /// @throws java.nio.file.FileAlreadyExistsException if it is, be it as a link to nothing
  public static OutputStream create(Path file) throws IOException {
    return Channels.newOutputStream(FileChannel.open(file, NEW, attributes(file, "rw-------")));
  }

  /// Puts a file with this text in the place of another, or of none, at once: whoever reads it sees
  /// the one before or this one.
  public static void replace(Path file, String text) throws IOException {
    var aside = file.resolveSibling("." + file.getFileName() + "." + UUID.randomUUID() + ".part");
    try {
      try (var out = create(aside)) {
        out.write(text.getBytes(StandardCharsets.UTF_8));
      }
      Files.move(aside, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(aside);
    }
  }

  private static FileAttribute<?>[] attributes(Path file, String permissions) {
    if (!file.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      return new FileAttribute<?>[0];
    }
    var set = PosixFilePermissions.fromString(permissions);
    return new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(set)};
  }
}
