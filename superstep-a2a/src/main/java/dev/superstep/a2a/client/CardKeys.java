package dev.superstep.a2a.client;

import dev.superstep.a2a.internal.CardSignatures;
import dev.superstep.a2a.internal.Trees;
import java.math.BigInteger;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPoint;
import java.security.spec.ECPublicKeySpec;
import java.security.spec.EdECPoint;
import java.security.spec.EdECPublicKeySpec;
import java.security.spec.NamedParameterSpec;
import java.security.spec.RSAPublicKeySpec;
import java.util.Base64;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/// The public keys whose signatures of agent cards are trusted. Immutable, safe for many threads.
///
/// ```java
/// var desk = A2aAgent.at(address).verifiedBy(CardKeys.jwks(Files.readString(file)));
/// ```
public final class CardKeys {
  private static final int ED25519_BYTES = 32;

  private final Map<String, PublicKey> keys;

  private CardKeys(Map<String, PublicKey> keys) {
    this.keys = keys;
  }

  /// Keys by their names, which signatures have as `kid`.
  ///
  /// @throws IllegalArgumentException if there is none, or one is not of P-256, Ed25519, or RSA
  ///   with at least 2048 bits
  public static CardKeys of(Map<String, PublicKey> keys) {
    if (keys.isEmpty()) throw new IllegalArgumentException("keys must not be empty");
    var all = new LinkedHashMap<>(keys);
    for (var key : all.values()) {
      var _ = CardSignatures.algorithm(key);
    }
    return new CardKeys(Collections.unmodifiableMap(all));
  }

  /// The keys of a JSON Web Key Set. Those without a `kid`, and those of kinds that sign no cards,
  /// are left out.
  ///
  /// @throws IllegalArgumentException if the text is no set, or has no usable key
  public static CardKeys jwks(String json) {
    JsonNode set;
    try {
      set = Trees.of(json).path("keys");
    } catch (JacksonException e) {
      throw new IllegalArgumentException("the key set is no JSON", e);
    }
    var all = new LinkedHashMap<String, PublicKey>();
    for (var one : set) {
      var id = one.path("kid").asString("");
      var use = one.path("use").asString("sig");
      if (id.isEmpty() || !use.equals("sig")) continue;
      try {
        var key = key(one);
        if (key != null) all.put(id, key);
      } catch (GeneralSecurityException | IllegalArgumentException e) {
        throw new IllegalArgumentException("the key `" + id + "` of the set is malformed", e);
      }
    }
    if (all.isEmpty()) {
      throw new IllegalArgumentException(
          "the key set has no key with a `kid` of the kinds EC (P-256), OKP (Ed25519) and RSA");
    }
    return of(all);
  }

  private static @Nullable PublicKey key(JsonNode one) throws GeneralSecurityException {
    var curve = one.path("crv").asString("");
    return switch (one.path("kty").asString("")) {
      case "RSA" ->
          KeyFactory.getInstance("RSA")
              .generatePublic(new RSAPublicKeySpec(number(one, "n"), number(one, "e")));
      case "EC" -> curve.equals("P-256") ? p256(number(one, "x"), number(one, "y")) : null;
      case "OKP" -> curve.equals("Ed25519") ? ed25519(bytes(one, "x")) : null;
      default -> null;
    };
  }

  private static PublicKey p256(BigInteger x, BigInteger y) throws GeneralSecurityException {
    var parameters = AlgorithmParameters.getInstance("EC");
    parameters.init(new ECGenParameterSpec("secp256r1"));
    var curve = parameters.getParameterSpec(ECParameterSpec.class);
    return KeyFactory.getInstance("EC")
        .generatePublic(new ECPublicKeySpec(new ECPoint(x, y), curve));
  }

  /// A point as 32 bytes, the lowest first, whose highest bit is the sign of the other coordinate.
  private static PublicKey ed25519(byte[] point) throws GeneralSecurityException {
    if (point.length != ED25519_BYTES) throw new IllegalArgumentException("x has not 32 bytes");
    var reversed = new byte[ED25519_BYTES];
    for (int i = 0; i < ED25519_BYTES; i++) reversed[i] = point[ED25519_BYTES - 1 - i];
    boolean isOdd = reversed[0] < 0;
    reversed[0] &= 0x7f;
    var place = new EdECPoint(isOdd, new BigInteger(1, reversed));
    return KeyFactory.getInstance("Ed25519")
        .generatePublic(new EdECPublicKeySpec(NamedParameterSpec.ED25519, place));
  }

  private static BigInteger number(JsonNode one, String name) {
    return new BigInteger(1, bytes(one, name));
  }

  private static byte[] bytes(JsonNode one, String name) {
    return Base64.getUrlDecoder().decode(one.path(name).asString(""));
  }

  /// Returns why a card is not to be trusted; empty if it is.
  String flaw(JsonNode card) {
    return CardSignatures.flaw(card, keys);
  }

  @Override
  public String toString() {
    return "CardKeys" + keys.keySet();
  }
}
