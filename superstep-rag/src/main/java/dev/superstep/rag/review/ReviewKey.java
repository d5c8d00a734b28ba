package dev.superstep.rag.review;

import dev.superstep.file.PrivateFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// The secret with which a host signs approvals. Whoever has it can approve, so neither a text nor
/// a tool is given it. Immutable.
public final class ReviewKey {
  private static final String ALGORITHM = "HmacSHA256";
  private static final int BYTES = 32;

  private final SecretKeySpec key;

  private ReviewKey(byte[] secret) {
    if (secret.length < BYTES) {
      throw new IllegalArgumentException(
          "a key must have at least " + BYTES + " bytes, had " + secret.length);
    }
    key = new SecretKeySpec(secret, ALGORITHM);
  }

  /// A key from a secret that the host has, of at least 32 bytes.
  public static ReviewKey of(byte[] secret) {
    return new ReviewKey(secret);
  }

  /// The key in a file, which is made with a new one if it is not there. Only its owner can read
  /// it.
  ///
  /// @throws IOException if the file cannot be read or made
  public static ReviewKey open(Path file) throws IOException {
    if (!Files.exists(file)) {
      var secret = new byte[BYTES];
      new SecureRandom().nextBytes(secret);
      PrivateFiles.replace(file, HexFormat.of().formatHex(secret));
    }
    return new ReviewKey(HexFormat.of().parseHex(Files.readString(file).strip()));
  }

  /// The signature of texts, in hexadecimal.
  String sign(String... parts) {
    try {
      var mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      for (var part : parts) {
        var bytes = part.getBytes(StandardCharsets.UTF_8);
        // With their lengths, so that no two lists of parts are signed alike.
        mac.update((bytes.length + ":").getBytes(StandardCharsets.UTF_8));
        mac.update(bytes);
      }
      return HexFormat.of().formatHex(mac.doFinal());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java runtime has " + ALGORITHM, e);
    }
  }

  boolean isSignature(String signature, String... parts) {
    return MessageDigest.isEqual(
        sign(parts).getBytes(StandardCharsets.UTF_8), signature.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public String toString() {
    return "ReviewKey";
  }
}
