package dev.superstep.rag.error;

import dev.superstep.json.SuperstepException;

/// A text that a model wrote is neither registered nor run, since nobody has approved it.
public final class ReviewRequired extends SuperstepException {
  private final String hash;

  public ReviewRequired(String hash, String why) {
    super(
        "rag.review-required",
        "text %s is neither registered nor run: %s. Somebody must approve exactly it."
            .formatted(hash, why));
    this.hash = hash;
  }

  /// The hash that an approval must be for.
  public String hash() {
    return hash;
  }
}
