package dev.superstep.middleware;

import dev.superstep.json.SuperstepException;

/// A middleware needs something that the caller of the run did not say.
public final class MissingMetadata extends SuperstepException {
  private final String key;

  MissingMetadata(String middleware, String key) {
    super(
        "agent.missing-metadata",
        "%s needs the metadata `%s` of the run. Start it with options.metadata(\"%s\", ...)."
            .formatted(middleware, key, key));
    this.key = key;
  }

  /// The name of what is missing.
  public String key() {
    return key;
  }
}
