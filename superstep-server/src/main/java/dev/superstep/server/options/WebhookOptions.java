package dev.superstep.server.options;

import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Set;

/// Options of webhooks. Immutable.
///
/// @param secrets what they are signed with, each `whsec_` and 24 to 64 bytes in Base64; several
///   while one takes the place of another, none for unsigned ones
/// @param networks blocks of addresses that are not public and may be called all the same, such as
///   `10.1.0.0/16`
/// @param attempts how often a webhook is sent at the most
/// @param longest how long a receiver may take to answer
/// @param bytes the largest body; of a larger one, the values are left out
public record WebhookOptions(
    List<String> secrets, Set<String> networks, int attempts, Duration longest, int bytes) {
  private static final String PREFIX = "whsec_";
  private static final int KEY_BYTES_LEAST = 24;
  private static final int KEY_BYTES_MOST = 64;
  private static final WebhookOptions DEFAULTS =
      new WebhookOptions(List.of(), Set.of(), 8, Duration.ofSeconds(10), 1024 * 1024);

  public WebhookOptions {
    secrets = List.copyOf(secrets);
    networks = Set.copyOf(networks);
    secrets.forEach(WebhookOptions::key);
    if (attempts < 1) {
      throw new IllegalArgumentException("attempts must be at least 1, was " + attempts);
    }
    if (longest.isNegative() || longest.isZero()) {
      throw new IllegalArgumentException("longest must be more than 0, was " + longest);
    }
    if (bytes < 1) throw new IllegalArgumentException("bytes must be at least 1, was " + bytes);
  }

  /// Unsigned, to public addresses, 8 attempts, 10 seconds for an answer, bodies of 1 MiB.
  public static WebhookOptions defaults() {
    return DEFAULTS;
  }

  /// With these secrets.
  public WebhookOptions withSecrets(List<String> all) {
    return new WebhookOptions(all, networks, attempts, longest, bytes);
  }

  /// With these blocks of addresses.
  public WebhookOptions withNetworks(Set<String> blocks) {
    return new WebhookOptions(secrets, blocks, attempts, longest, bytes);
  }

  /// With more or fewer attempts.
  public WebhookOptions withAttempts(int most) {
    return new WebhookOptions(secrets, networks, most, longest, bytes);
  }

  /// With other limits for an answer and a body.
  public WebhookOptions withLimits(Duration time, int bodyBytes) {
    return new WebhookOptions(secrets, networks, attempts, time, bodyBytes);
  }

  /// The key of a secret.
  ///
  /// @throws IllegalArgumentException if it is none
  public static byte[] key(String secret) {
    try {
      if (secret.startsWith(PREFIX)) {
        var key = Base64.getDecoder().decode(secret.substring(PREFIX.length()));
        if (key.length >= KEY_BYTES_LEAST && key.length <= KEY_BYTES_MOST) return key;
      }
    } catch (IllegalArgumentException _) {
      // It is not shown in a message, since it may be nearly right.
    }
    throw new IllegalArgumentException(
        "a secret of webhooks must be `whsec_` and 24 to 64 bytes in Base64");
  }

  @Override
  public String toString() {
    return "WebhookOptions[" + secrets.size() + " secrets, networks=" + networks + "]";
  }
}
