package dev.superstep.example.triage;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.UUID;

/// Where the report goes. It is written aside and moved into place, so that there is always a whole
/// report or the one before; writing it twice does no harm. The file aside is always a new one with
/// a name that nobody can guess, so a link that was planted in the folder leads nowhere.
record ReportFile(Path path) {
  static ReportFile in(Path folder) {
    return new ReportFile(folder.resolve("report.md"));
  }

  /// @return the file
  /// @throws ReportNotWritten if it cannot be written; an older report is untouched
  Path write(String text) {
    var aside = path.resolveSibling("report.md." + UUID.randomUUID() + ".part");
    try {
      Files.createDirectories(path.toAbsolutePath().getParent());
      try {
        fill(aside, text);
        Files.move(
            aside, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      } finally {
        Files.deleteIfExists(aside);
      }
      return path;
    } catch (IOException e) {
      throw new ReportNotWritten(path, e);
    }
  }

  private static void fill(Path file, String text) throws IOException {
    var bytes = StandardCharsets.UTF_8.encode(text);
    try (var channel = FileChannel.open(file, Set.of(CREATE_NEW, WRITE), ownerOnly(file))) {
      while (bytes.hasRemaining()) channel.write(bytes);
      channel.force(true); // the move must not reach the disk before the text
    }
  }

  /// What is quoted from the mail is for the owner's eyes, where the file system knows owners.
  private static FileAttribute<?>[] ownerOnly(Path file) {
    if (!file.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      return new FileAttribute<?>[0];
    }
    var permissions = PosixFilePermissions.fromString("rw-------");
    return new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(permissions)};
  }
}
