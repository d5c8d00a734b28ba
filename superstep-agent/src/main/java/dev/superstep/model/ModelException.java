package dev.superstep.model;

import dev.superstep.json.SuperstepException;
import dev.superstep.node.RetryHint;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A model could not be asked, or its answer could not be used.
public final class ModelException extends SuperstepException implements RetryHint {
  private final Kind kind;
  private final @Nullable Duration retryAfter;

  /// Why a model call failed. The name in lower case is part of the error code.
  public enum Kind {
    /// The model URL is not one.
    BAD_URL(false),
    /// No such model, weights or endpoint on this machine.
    UNAVAILABLE(false),
    /// A key is missing or was refused.
    AUTH(false),
    /// The account has no credit left; to wait does not help.
    QUOTA(false),
    /// Too many requests; see [ModelException#retryAfter].
    RATE_LIMITED(true),
    /// The vendor is overloaded or failed on its side.
    OVERLOADED(true),
    /// The request is longer than the model's context.
    CONTEXT_LENGTH(false),
    /// The vendor refused the request as it stands.
    BAD_REQUEST(false),
    /// The model declined to answer.
    REFUSED(false),
    /// No answer within the time given.
    TIMEOUT(true),
    /// The answer broke off, or is not what the protocol or the schema promises.
    MALFORMED(true),
    /// The connection failed.
    TRANSPORT(true),
    /// The answer is larger than it may be.
    TOO_LARGE(false);

    private final boolean retryable;

    Kind(boolean retryable) {
      this.retryable = retryable;
    }
  }

  public ModelException(Kind kind, String message) {
    this(kind, message, null, null);
  }

  public ModelException(
      Kind kind, String message, @Nullable Duration retryAfter, @Nullable Throwable cause) {
    super(
        "model." + kind.name().toLowerCase(java.util.Locale.ROOT).replace('_', '-'),
        message,
        cause);
    this.kind = kind;
    this.retryAfter = retryAfter;
  }

  /// Why it failed.
  public Kind kind() {
    return kind;
  }

  /// Returns true if the request may succeed later.
  @Override
  public boolean isRetryable() {
    return kind.retryable;
  }

  /// The wait that the vendor asks for.
  @Override
  public Optional<Duration> retryAfter() {
    return Optional.ofNullable(retryAfter);
  }
}
