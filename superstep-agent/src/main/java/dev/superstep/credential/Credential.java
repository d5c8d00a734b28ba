package dev.superstep.credential;

import dev.superstep.tool.ToolResult;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A secret that lets who has it act for somebody at a service, such as a token. It is no value of
/// a closed type, so that no state, event or step can hold it. Immutable.
public final class Credential {
  private final String secret;
  private final @Nullable Instant expires;

  private Credential(String secret, @Nullable Instant expires) {
    if (secret.isBlank()) throw new IllegalArgumentException("secret must not be blank");
    this.secret = secret;
    this.expires = expires;
  }

  /// A credential without a known end.
  public static Credential of(String secret) {
    return new Credential(secret, null);
  }

  /// Returns a copy that is of no use from this time on.
  public Credential until(Instant end) {
    return new Credential(secret, end);
  }

  /// The secret, for the request to its service and for nothing else.
  public String secret() {
    return secret;
  }

  /// The time from which on it is of no use, if that is known.
  public Optional<Instant> expires() {
    return Optional.ofNullable(expires);
  }

  /// Returns true if it is of use for so long.
  ///
  /// @param margin how long it must still be of use
  public boolean lasts(Instant now, Duration margin) {
    return expires == null || now.plus(margin).isBefore(expires);
  }

  /// Returns a result without the secret, which is replaced where the result has it: for what is
  /// saved before a tool gives it back.
  public ToolResult hiddenIn(ToolResult result) {
    return SecretScrubber.of(this).result(result);
  }

  /// Tells nothing of the secret.
  @Override
  public String toString() {
    return "Credential[hidden" + (expires == null ? "" : ", until " + expires) + "]";
  }
}
