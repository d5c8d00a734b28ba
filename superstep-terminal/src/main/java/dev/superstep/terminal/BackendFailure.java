package dev.superstep.terminal;

import dev.superstep.model.ModelException;
import java.util.Optional;

/// The four ways in which a model that runs in a process of its own fails, each told apart.
public enum BackendFailure {
  /// It cannot be loaded: no such program, library or weights, or no key.
  IMPORT,
  /// Its answer is no JSON of the form that was asked for.
  JSON,
  /// The network, its quota or its rate stopped it.
  NETWORK,
  /// It did not answer in time.
  TIMEOUT;

  /// The way in which a model failed, or empty if it answered that it would not or could not.
  public static Optional<BackendFailure> of(ModelException.Kind kind) {
    return switch (kind) {
      case BAD_URL, UNAVAILABLE, AUTH -> Optional.of(IMPORT);
      case MALFORMED, TOO_LARGE -> Optional.of(JSON);
      case QUOTA, RATE_LIMITED, OVERLOADED, TRANSPORT -> Optional.of(NETWORK);
      case TIMEOUT -> Optional.of(TIMEOUT);
      case CONTEXT_LENGTH, BAD_REQUEST, REFUSED -> Optional.empty();
    };
  }
}
