package dev.superstep.checkpoint;

import dev.superstep.json.Json;
import dev.superstep.json.MalformedJson;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Base64;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import org.jspecify.annotations.Nullable;

/// Seals text so that only who has its key can read it, and only at the place that it was sealed
/// for. Safe for many threads.
///
/// A seal is `sealed2:<key id>:<base64 of nonce, cipher text and tag>`, by AES-256 in
/// Galois/counter mode with a random nonce of 96 bits. One that begins with `sealed1:` was made
/// before there were families, and is bound to the rest of its place only.
final class Seals {
  private static final String MARK = "sealed2:";
  private static final String OLD_MARK = "sealed1:";
  private static final int NONCE_BYTES = 12;
  private static final int TAG_BITS = 128;
  private static final byte UTF_8 = 0;
  private static final byte UTF_16 = 1;
  private static final SecureRandom RANDOM = new SecureRandom();

  private final KeyRing ring;

  Seals(KeyRing ring) {
    this.ring = ring;
  }

  String seal(String text, SealedPlace place) {
    var id = ring.current();
    var nonce = new byte[NONCE_BYTES];
    RANDOM.nextBytes(nonce);
    try {
      var cipher = cipher(Cipher.ENCRYPT_MODE, ring.key(id).orElseThrow(), nonce);
      cipher.updateAAD(bytes(MARK + id + ":" + place.bound()));
      var sealed = cipher.doFinal(bytes(text));
      var all = ByteBuffer.allocate(nonce.length + sealed.length).put(nonce).put(sealed);
      return MARK + id + ":" + Base64.getEncoder().encodeToString(all.array());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java runtime has AES/GCM", e);
    }
  }

  /// @throws CannotDecrypt if it is not what was sealed for this place
  String open(String seal, SealedPlace place) {
    return open(seal, place, false);
  }

  /// @param isOldRead whether a seal may be bound to no family
  /// @throws CannotDecrypt if it is not what was sealed for this place
  String open(String seal, SealedPlace place, boolean isOldRead) {
    boolean isOld = seal.startsWith(OLD_MARK);
    int colon = isOld || seal.startsWith(MARK) ? seal.indexOf(':', MARK.length()) : -1;
    if (colon < 0) throw refused(CannotDecrypt.Reason.NOT_SEALED, place, "", null);
    var id = seal.substring(MARK.length(), colon);
    if (isOld && !isOldRead) throw refused(CannotDecrypt.Reason.UNBOUND, place, id, null);
    var key =
        ring.key(id).orElseThrow(() -> refused(CannotDecrypt.Reason.UNKNOWN_KEY, place, id, null));
    try {
      var all = ByteBuffer.wrap(Base64.getDecoder().decode(seal.substring(colon + 1)));
      if (all.remaining() <= NONCE_BYTES) throw new AEADBadTagException("it is too short");
      var nonce = new byte[NONCE_BYTES];
      all.get(nonce);
      var cipher = cipher(Cipher.DECRYPT_MODE, key, nonce);
      cipher.updateAAD(
          bytes(
              isOld ? OLD_MARK + id + ":" + place.boundApart() : MARK + id + ":" + place.bound()));
      return text(cipher.doFinal(all.array(), NONCE_BYTES, all.remaining()));
    } catch (IllegalArgumentException | GeneralSecurityException e) {
      throw refused(CannotDecrypt.Reason.REFUSED, place, id, e);
    }
  }

  /// @throws CannotDecrypt if it is not what was sealed for this place
  Json open(Json seal, SealedPlace place, boolean isOldRead) {
    String text;
    try {
      text = seal.as(String.class);
    } catch (MalformedJson _) {
      throw refused(CannotDecrypt.Reason.NOT_SEALED, place, "", null);
    }
    return Json.unchecked(open(text, place, isOldRead));
  }

  private static Cipher cipher(int mode, SecretKey key, byte[] nonce)
      throws GeneralSecurityException {
    var cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
    return cipher;
  }

  /// Text that is half a surrogate pair has no UTF-8 and must come back all the same.
  private static byte[] bytes(String text) {
    boolean whole = StandardCharsets.UTF_8.newEncoder().canEncode(text);
    var encoded = whole ? text.getBytes(StandardCharsets.UTF_8) : halves(text);
    return ByteBuffer.allocate(1 + encoded.length).put(whole ? UTF_8 : UTF_16).put(encoded).array();
  }

  private static byte[] halves(String text) {
    var bytes = ByteBuffer.allocate(text.length() * Character.BYTES);
    for (int i = 0; i < text.length(); i++) bytes.putChar(text.charAt(i));
    return bytes.array();
  }

  private static String text(byte[] bytes) {
    if (bytes[0] == UTF_8) return new String(bytes, 1, bytes.length - 1, StandardCharsets.UTF_8);
    var chars = ByteBuffer.wrap(bytes, 1, bytes.length - 1).asCharBuffer();
    return chars.toString();
  }

  private static CannotDecrypt refused(
      CannotDecrypt.Reason reason, SealedPlace place, String key, @Nullable Throwable cause) {
    return new CannotDecrypt(reason, place.toString(), key, cause);
  }
}
