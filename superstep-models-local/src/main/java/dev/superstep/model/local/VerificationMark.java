package dev.superstep.model.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// Remembers beside a file that its hash was found right. The mark holds size and time, so that a
/// changed file is hashed again.
final class VerificationMark {
  private static final int BUFFER = 1 << 20;

  private VerificationMark() {}

  static boolean isMarked(Path file, String sha256) throws IOException {
    try {
      return Files.readString(marker(file)).equals(mark(file, sha256, Files.size(file)));
    } catch (NoSuchFileException _) {
      return false;
    }
  }

  /// A cache that cannot be written to, such as a shared one, works too: it is hashed each time.
  static void mark(Path file, String sha256) throws IOException {
    if (!Files.isWritable(file.toAbsolutePath().getParent())) return;
    Files.writeString(marker(file), mark(file, sha256, Files.size(file)));
  }

  static String hash(Path file) throws IOException {
    try (var in = Files.newInputStream(file)) {
      var digest = MessageDigest.getInstance("SHA-256");
      var buffer = new byte[BUFFER];
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) digest.update(buffer, 0, n);
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JDK has SHA-256", e);
    }
  }

  private static String mark(Path file, String sha256, long size) throws IOException {
    return sha256 + " " + size + " " + Files.getLastModifiedTime(file).toMillis() + "\n";
  }

  private static Path marker(Path file) {
    return file.resolveSibling(file.getFileName() + ".verified");
  }
}
