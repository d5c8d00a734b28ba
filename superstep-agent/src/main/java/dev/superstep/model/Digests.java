package dev.superstep.model;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// Fingerprints of texts. Safe for many threads.
final class Digests {
  // Copied for each text: to look for who provides one takes most of the time.
  private static final MessageDigest UNUSED = lookUp();

  private Digests() {}

  /// In lower-case hexadecimal.
  static String sha256(String text) {
    return HexFormat.of().formatHex(fresh().digest(text.getBytes(UTF_8)));
  }

  private static MessageDigest fresh() {
    try {
      return (MessageDigest) UNUSED.clone();
    } catch (CloneNotSupportedException _) {
      return lookUp();
    }
  }

  private static MessageDigest lookUp() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JDK has SHA-256", e);
    }
  }
}
