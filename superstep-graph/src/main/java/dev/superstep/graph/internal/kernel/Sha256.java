package dev.superstep.graph.internal.kernel;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/// Hashes texts. To copy a digest takes a part of what it takes to look for who provides one. Safe
/// for many threads.
public final class Sha256 {
  private static final MessageDigest UNUSED = lookUp();

  private Sha256() {}

  public static byte[] of(String text) {
    return fresh().digest(text.getBytes(UTF_8));
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
      throw new IllegalStateException("every Java runtime has SHA-256", e);
    }
  }
}
