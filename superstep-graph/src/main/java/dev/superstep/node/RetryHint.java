package dev.superstep.node;

import java.time.Duration;
import java.util.Optional;

/// An exception that knows whether the same operation may succeed later, and when.
public interface RetryHint {
  /// Returns whether the same operation may succeed later.
  boolean isRetryable();

  /// The wait that the refusing side asks for.
  default Optional<Duration> retryAfter() {
    return Optional.empty();
  }
}
