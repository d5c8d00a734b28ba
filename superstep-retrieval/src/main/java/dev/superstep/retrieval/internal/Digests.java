package dev.superstep.retrieval.internal;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// Digests of texts, the same in every process.
public final class Digests {
  private Digests() {}

  /// The SHA-256 of some texts in hexadecimal digits. Each is hashed with its length, so that no
  /// two lists of texts look the same.
  public static String sha256(String... texts) {
    try {
      var digest = MessageDigest.getInstance("SHA-256");
      for (var text : texts) {
        var bytes = text.getBytes(StandardCharsets.UTF_8);
        digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, bytes.length));
        digest.update(bytes);
      }
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
