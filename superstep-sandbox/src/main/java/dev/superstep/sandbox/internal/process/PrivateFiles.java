package dev.superstep.sandbox.internal.process;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Files and folders that only their owner may read, from the moment they are made.
public final class PrivateFiles {
  private PrivateFiles() {}

  /// A new file.
  static OutputStream create(Path file) throws IOException {
    return Channels.newOutputStream(
        Files.newByteChannel(
            file,
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
            attributes(file, "rw-------")));
  }

  /// A new folder with a name of its own.
  public static Path folder(String prefix) throws IOException {
    var parent = Path.of(System.getProperty("java.io.tmpdir"));
    return Files.createTempDirectory(parent, prefix, attributes(parent, "rwx------")).toRealPath();
  }

  private static FileAttribute<?>[] attributes(Path where, String permissions) {
    if (!where.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      return new FileAttribute<?>[0];
    }
    return new FileAttribute<?>[] {
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
    };
  }

  /// Deletes a folder and what is in it, links but not what they lead to. What cannot be deleted
  /// stays.
  public static void delete(Path folder) {
    try {
      if (isRemoved(folder)) return;
      Files.walkFileTree(folder, new Deletion());
    } catch (IOException _) {
      return; // a folder of temporary files, which the system empties
    }
  }

  /// Most are empty, which the system finds out at once.
  private static boolean isRemoved(Path folder) throws IOException {
    try {
      return Files.deleteIfExists(folder);
    } catch (DirectoryNotEmptyException _) {
      return false;
    }
  }

  private static final class Deletion extends SimpleFileVisitor<Path> {
    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      Files.deleteIfExists(file);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException failure) {
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException failure)
        throws IOException {
      Files.deleteIfExists(folder);
      return FileVisitResult.CONTINUE;
    }
  }
}
