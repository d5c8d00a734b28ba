package dev.superstep.store;

import dev.superstep.json.SuperstepException;

/// An embedder did not give what it promised, so nothing was written or found.
public final class BadEmbedding extends SuperstepException {
  private final String embedder;

  BadEmbedding(String embedder, String why) {
    super(
        "store.bad-embedding",
        "Embedder `%s` %s. Correct the embedder, or give it another text to embed."
            .formatted(embedder, why));
    this.embedder = embedder;
  }

  /// The id of the embedder.
  public String embedder() {
    return embedder;
  }
}
