package dev.superstep.model.wire;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Pattern;

/// Names of tools as every vendor accepts them: ASCII letters, digits, `_` and `-`, beginning with
/// a letter or `_`, at most 64. Any other name gets one that depends on nothing but itself, so that
/// earlier calls in a conversation, and prompts that a vendor keeps, stay the same.
final class ToolNames {
  private static final int MAX = 64;
  private static final int DIGEST = 8;
  private static final Pattern ACCEPTED = Pattern.compile("[A-Za-z_][A-Za-z0-9_-]{0,63}");
  private static final Pattern ODD = Pattern.compile("[^A-Za-z0-9_-]");

  private ToolNames() {}

  /// Returns the name that is sent for a tool.
  static String sent(String name) {
    if (ACCEPTED.matcher(name).matches()) return name;
    var plain = ODD.matcher(name).replaceAll("_");
    if (plain.isEmpty() || !ACCEPTED.matcher(plain.substring(0, 1)).matches()) plain = "_" + plain;
    var cut = plain.substring(0, Math.min(plain.length(), MAX - DIGEST - 1));
    return cut + "_" + digest(name).substring(0, DIGEST);
  }

  /// A digest in hexadecimal digits.
  static String digest(String text) {
    try {
      var digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
