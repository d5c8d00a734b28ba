package dev.superstep.middleware;

import dev.superstep.json.SuperstepException;
import org.jspecify.annotations.Nullable;

/// The regular expression of a [Detector] takes too long on a text, so nobody knows what is in it,
/// and it is not let through.
public final class PatternTooSlow extends SuperstepException {
  private final String detector;

  PatternTooSlow(String detector, int length, @Nullable Throwable cause) {
    super(
        "middleware.pattern-too-slow",
        """
        The pattern for `%s` takes too long on a text of %,d characters. Change it so that no part \
        of a text can be matched in many ways: bound repetitions, make them possessive.\
        """
            .formatted(detector, length),
        cause);
    this.detector = detector;
  }

  /// The name of the detector.
  public String detector() {
    return detector;
  }
}
