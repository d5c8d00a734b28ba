package dev.superstep.a2a.internal;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.interfaces.ECKey;
import java.security.interfaces.EdECKey;
import java.security.interfaces.RSAKey;
import java.util.Base64;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// The signatures of agent cards: JSON Web Signatures over the canonical JSON of the card without
/// its signatures and its empty fields.
public final class CardSignatures {
  private static final String SIGNATURES = "signatures";
  private static final int SIGNATURES_MAX = 20;
  private static final int HEADER_MAX = 8_192;
  private static final int RSA_BITS_LEAST = 2_048;
  private static final int P256_BITS = 256;

  private CardSignatures() {}

  // --- Algorithms ---

  /// The algorithm of a key: `ES256`, `RS256` or `EdDSA`. The key alone decides, and not what a
  /// signature says.
  ///
  /// @throws IllegalArgumentException if it is a key of another kind, or a short one
  public static String algorithm(Key key) {
    return switch (key) {
      case ECKey ec when ec.getParams().getCurve().getField().getFieldSize() == P256_BITS ->
          "ES256";
      case RSAKey rsa when rsa.getModulus().bitLength() >= RSA_BITS_LEAST -> "RS256";
      case EdECKey ed when ed.getParams().getName().equals("Ed25519") -> "EdDSA";
      default ->
          throw new IllegalArgumentException(
              "a key of cards must be of P-256, Ed25519, or RSA with at least 2048 bits, was one of"
                  + " "
                  + key.getAlgorithm());
    };
  }

  private static Signature signature(String algorithm) throws GeneralSecurityException {
    return Signature.getInstance(
        switch (algorithm) {
          case "ES256" -> "SHA256withECDSAinP1363Format";
          case "RS256" -> "SHA256withRSA";
          default -> "Ed25519";
        });
  }

  // --- Signing ---

  /// Adds a signature to a card.
  ///
  /// @param id the name of the key
  public static void sign(ObjectNode card, String id, PrivateKey key) {
    var algorithm = algorithm(key);
    var header = Trees.object().put("alg", algorithm).put("kid", id).put("typ", "JOSE");
    var head = encoded(Trees.text(header).getBytes(StandardCharsets.UTF_8));
    try {
      var signature = signature(algorithm);
      signature.initSign(key);
      signature.update(input(head, card));
      var made = encoded(signature.sign());
      card.withArray(SIGNATURES).addObject().put("protected", head).put("signature", made);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the key " + id + " cannot sign", e);
    }
  }

  private static String encoded(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  private static byte[] input(String head, ObjectNode card) {
    var payload = canonical(card).getBytes(StandardCharsets.UTF_8);
    return (head + "." + encoded(payload)).getBytes(StandardCharsets.US_ASCII);
  }

  /// The text of a card that is signed.
  public static String canonical(ObjectNode card) {
    var unsigned = card.deepCopy();
    unsigned.remove(SIGNATURES);
    return CanonicalJson.of(full(unsigned));
  }

  /// A value without what the schema of the protocol cannot tell from being absent.
  private static JsonNode full(JsonNode value) {
    if (value instanceof ObjectNode object) {
      var all = Trees.object();
      object.forEachEntry((name, inner) -> {
        var left = full(inner);
        boolean isFlag = name.equals("required") || name.equals("pkceRequired");
        boolean isAbsent = isEmpty(left) || (isFlag && left.isBoolean() && !left.booleanValue());
        if (!isAbsent) all.set(name, left);
      });
      return all;
    }
    if (value instanceof ArrayNode array) {
      var all = JsonNodeFactory.instance.arrayNode();
      for (var inner : array) {
        var left = full(inner);
        if (!isEmpty(left)) all.add(left);
      }
      return all;
    }
    return value;
  }

  private static boolean isEmpty(JsonNode value) {
    return value.isNull()
        || (value.isContainer() && value.isEmpty())
        || (value.isString() && value.stringValue().isEmpty());
  }

  // --- Verifying ---

  /// Returns why a card is not to be trusted; empty if one of its signatures is that of a key.
  ///
  /// @param keys by their names
  public static String flaw(JsonNode card, Map<String, PublicKey> keys) {
    var signatures = card.path(SIGNATURES);
    if (!(card instanceof ObjectNode object) || signatures.isEmpty()) {
      return "its card is not signed";
    }
    if (signatures.size() > SIGNATURES_MAX) return "its card has too many signatures";
    var flaw = "its card is signed by none of the keys " + keys.keySet();
    for (var one : signatures) {
      var head = one.path("protected").asString("");
      var header = header(head);
      var key = keys.get(header.path("kid").asString(""));
      if (key == null) continue;
      if (isValid(object, one, header, key)) return "";
      flaw = "its card is not what was signed by the key " + header.path("kid").asString("");
    }
    return flaw;
  }

  private static JsonNode header(String head) {
    try {
      if (head.length() > HEADER_MAX) return Trees.object();
      var bytes = Base64.getUrlDecoder().decode(head);
      return Trees.of(new String(bytes, StandardCharsets.UTF_8));
    } catch (IllegalArgumentException | JacksonException _) {
      return Trees.object();
    }
  }

  private static boolean isValid(ObjectNode card, JsonNode one, JsonNode header, PublicKey key) {
    try {
      var algorithm = algorithm(key);
      // An extension that must be understood is none that is known here.
      boolean isKnown = header.path("alg").asString("").equals(algorithm) && !header.has("crit");
      if (!isKnown) return false;
      var signature = signature(algorithm);
      signature.initVerify(key);
      signature.update(input(one.path("protected").asString(""), card));
      return signature.verify(Base64.getUrlDecoder().decode(one.path("signature").asString("")));
    } catch (GeneralSecurityException | IllegalArgumentException _) {
      return false;
    }
  }
}
