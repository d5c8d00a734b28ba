package dev.superstep.eval.dataset;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// Digests by which parts of an evaluation are told apart.
public final class Digests {
  private static final int LENGTH = 16;

  private Digests() {}

  /// The first 16 hexadecimal digits of the SHA-256 of a text.
  public static String of(String text) {
    return of(text.getBytes(StandardCharsets.UTF_8));
  }

  /// The first 16 hexadecimal digits of the SHA-256 of bytes.
  public static String of(byte[] bytes) {
    try {
      var all = MessageDigest.getInstance("SHA-256").digest(bytes);
      return HexFormat.of().formatHex(all).substring(0, LENGTH);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
