package dev.superstep.files;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// A text file as it was read or written. Immutable.
///
/// @param path as the caller named it
/// @param digest of the text: 16 hexadecimal digits, which find changes and prove nothing
public record FileText(String path, String text, String digest) {
  private static final int DIGEST_BYTES = 8;

  /// A file with the digest of its text, for those who write a [FileTree].
  public static FileText of(String path, String text) {
    return new FileText(path, text, digestOf(text));
  }

  static String digestOf(String text) {
    try {
      var whole =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(whole, 0, DIGEST_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JVM has SHA-256", e);
    }
  }
}
