package dev.superstep.middleware;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// Digests of texts, in lower-case hexadecimal.
final class Hashes {
  private Hashes() {}

  static String sha256(String text) {
    try {
      return hex(MessageDigest.getInstance("SHA-256").digest(bytes(text)));
    } catch (GeneralSecurityException e) {
      throw new AssertionError("every JDK has SHA-256", e);
    }
  }

  /// A hash that nobody can make, or try out, without the key.
  static String keyed(String key, String text) {
    try {
      var mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(bytes(key), "HmacSHA256"));
      return hex(mac.doFinal(bytes(text)));
    } catch (GeneralSecurityException e) {
      throw new AssertionError("every JDK has HMAC-SHA-256", e);
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }
}
