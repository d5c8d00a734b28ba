package dev.superstep.terminal.undo;

import static java.util.Objects.requireNonNull;

import dev.superstep.file.PrivateFiles;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Set;

/// Contents of files by their digests. They are copies: a hard link would change with the file. One
/// thread at a time.
final class BlobStore {
  private static final int BUFFER = 64 * 1024;

  private final Path folder;
  private final byte[] buffer = new byte[BUFFER];
  private final MessageDigest sha256 = sha256();
  private long bytes;
  private long asides;

  private BlobStore(Path folder) {
    this.folder = folder;
  }

  static BlobStore open(Path folder) throws IOException {
    PrivateFiles.createDirectories(folder);
    var store = new BlobStore(folder);
    try (var parts = Files.newDirectoryStream(folder)) {
      for (var part : parts) {
        if (Files.isDirectory(part)) store.count(part);
        else Files.deleteIfExists(part); // a copy that was never finished
      }
    }
    return store;
  }

  private void count(Path part) throws IOException {
    try (var blobs = Files.newDirectoryStream(part)) {
      for (var blob : blobs) bytes += Files.size(blob);
    }
  }

  long bytes() {
    return bytes;
  }

  /// Keeps the content of a file and returns its digest.
  String keep(Path file) throws IOException {
    try (var in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
      // Most files are small and known: these cost one reading and no writing.
      int length = in.readNBytes(buffer, 0, BUFFER);
      if (length == BUFFER) return keepLarge(in);
      sha256.reset();
      sha256.update(buffer, 0, length);
      var name = HexFormat.of().formatHex(sha256.digest());
      if (!has(name)) {
        var aside = aside();
        try (var out = PrivateFiles.create(aside)) {
          out.write(buffer, 0, length);
        }
        keep(aside, name, length);
      }
      return name;
    }
  }

  /// @param in continues what is in the buffer
  private String keepLarge(InputStream in) throws IOException {
    var aside = aside();
    try {
      long size = 0;
      sha256.reset();
      try (var out = PrivateFiles.create(aside)) {
        for (int n = BUFFER; n >= 0; n = in.read(buffer)) {
          sha256.update(buffer, 0, n);
          out.write(buffer, 0, n);
          size += n;
        }
      }
      var name = HexFormat.of().formatHex(sha256.digest());
      if (!has(name)) keep(aside, name, size);
      return name;
    } finally {
      Files.deleteIfExists(aside);
    }
  }

  private Path aside() {
    return folder.resolve(++asides + ".part");
  }

  private void keep(Path aside, String name, long size) throws IOException {
    var blob = path(name);
    PrivateFiles.createDirectories(requireNonNull(blob.getParent()));
    Files.move(aside, blob, StandardCopyOption.ATOMIC_MOVE);
    bytes += size;
  }

  /// The digest of a file, whose content is not kept.
  String digest(Path file) throws IOException {
    var digest = sha256();
    try (var in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) digest.update(buffer, 0, n);
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  boolean has(String name) {
    return Files.isRegularFile(path(name));
  }

  /// Returns whether a content is there and is what its name says.
  boolean isWhole(String name) throws IOException {
    return has(name) && digest(path(name)).equals(name);
  }

  void write(String name, OutputStream to) throws IOException {
    var digest = sha256();
    try (var in = new DigestInputStream(Files.newInputStream(path(name)), digest)) {
      in.transferTo(to);
    }
    if (!HexFormat.of().formatHex(digest.digest()).equals(name)) {
      throw new IOException("a kept content is damaged: " + name);
    }
  }

  /// Deletes all but these.
  void retain(Set<String> names) throws IOException {
    bytes = 0;
    try (var parts = Files.newDirectoryStream(folder)) {
      for (var part : parts) {
        if (!Files.isDirectory(part)) continue;
        try (var blobs = Files.newDirectoryStream(part)) {
          for (var blob : blobs) {
            if (names.contains(part.getFileName().toString() + blob.getFileName())) {
              bytes += Files.size(blob);
            } else {
              Files.delete(blob);
            }
          }
        }
      }
    }
  }

  private Path path(String name) {
    return folder.resolve(name.substring(0, 2)).resolve(name.substring(2));
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
