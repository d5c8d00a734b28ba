package dev.superstep.a2a.server;

import dev.superstep.a2a.internal.CardSignatures;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import tools.jackson.databind.node.ObjectNode;

/// Signs agent cards with a key, so that clients can check who made them. Immutable, safe for many
/// threads.
///
/// ```java
/// A2aServer.protocol()
///     .publicAt(URI.create("https://agents.example.com"))
///     .signedBy(CardSigner.pem("key-2026", Path.of("card-key.pem")))
/// ```
public final class CardSigner {
  private static final String BEGIN = "-----BEGIN PRIVATE KEY-----";
  private static final String END = "-----END PRIVATE KEY-----";
  private static final String[] KINDS = {"EC", "EdDSA", "RSA"};

  private final String id;
  private final PrivateKey key;

  private CardSigner(String id, PrivateKey key) {
    this.id = id;
    this.key = key;
  }

  /// A key.
  ///
  /// @param id the name under which clients know its public key
  /// @param key of the curve P-256 (`ES256`), of Ed25519 (`EdDSA`), or of RSA with at least 2048
  ///   bits (`RS256`)
  /// @throws IllegalArgumentException if it is a key of another kind
  public static CardSigner of(String id, PrivateKey key) {
    if (id.isBlank()) throw new IllegalArgumentException("id must not be blank");
    var _ = CardSignatures.algorithm(key);
    return new CardSigner(id, key);
  }

  /// The key of a file, as `openssl genpkey` writes it: PEM with PKCS #8.
  ///
  /// @throws IOException if it cannot be read
  /// @throws IllegalArgumentException if it is no such key
  public static CardSigner pem(String id, Path file) throws IOException {
    var text = Files.readString(file).strip();
    if (text.startsWith(BEGIN) && text.endsWith(END)) {
      var spec = new PKCS8EncodedKeySpec(decoded(text, file));
      for (var kind : KINDS) {
        try {
          return of(id, KeyFactory.getInstance(kind).generatePrivate(spec));
        } catch (GeneralSecurityException _) {
          // It is of another kind.
        }
      }
    }
    throw unusable(file);
  }

  private static byte[] decoded(String text, Path file) {
    try {
      return Base64.getMimeDecoder()
          .decode(text.substring(BEGIN.length(), text.length() - END.length()));
    } catch (IllegalArgumentException _) {
      throw unusable(file);
    }
  }

  private static IllegalArgumentException unusable(Path file) {
    // Nothing of the file is shown: it may be nearly right.
    return new IllegalArgumentException(
        "%s must be a private key of P-256, Ed25519 or RSA in PEM (PKCS #8), as by `openssl genpkey`"
            .formatted(file));
  }

  /// Adds its signature.
  void sign(ObjectNode card) {
    CardSignatures.sign(card, id, key);
  }

  /// Leaves out the key.
  @Override
  public String toString() {
    return "CardSigner[" + id + ", " + CardSignatures.algorithm(key) + "]";
  }
}
