package dev.superstep.node;

import java.time.Duration;
import java.util.Optional;

/// An exception that knows whether the same may succeed later, and when.
public interface RetryHint {
  /// Whether the same may succeed later.
  boolean isRetryable();

  /// How long whoever refused asks to wait.
  default Optional<Duration> retryAfter() {
    return Optional.empty();
  }
}
