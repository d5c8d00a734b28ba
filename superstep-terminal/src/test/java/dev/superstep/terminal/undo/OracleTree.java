package dev.superstep.terminal.undo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// The digest of a tree by reading all of it: names, kinds, modes, contents and targets of links.
/// Shares no code with what it judges.
final class OracleTree {
  private OracleTree() {}

  static String digest(Path root) {
    try (var paths = Files.walk(root)) {
      var digest = MessageDigest.getInstance("SHA-256");
      for (var path : paths.sorted().toList()) {
        int mode = (Integer) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS);
        digest.update((root.relativize(path) + " " + mode + "\0").getBytes(StandardCharsets.UTF_8));
        if (Files.isSymbolicLink(path)) {
          digest.update(Files.readSymbolicLink(path).toString().getBytes(StandardCharsets.UTF_8));
        } else if (Files.isRegularFile(path)) {
          digest.update(Files.readAllBytes(path));
        }
        digest.update((byte) 0);
      }
      return HexFormat.of().formatHex(digest.digest());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
