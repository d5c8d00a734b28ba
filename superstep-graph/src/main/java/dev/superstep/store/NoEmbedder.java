package dev.superstep.store;

import dev.superstep.json.SuperstepException;

/// A search by meaning was sent to a store that has no embedder.
public final class NoEmbedder extends SuperstepException {
  private final String query;

  NoEmbedder(String query) {
    super(
        "store.no-embedder",
        ("The store cannot search for `%s` by meaning, because it was opened without an embedder."
             + " Open it with `StoreOptions.defaults().embedder(...)` and put the items again, or"
             + " search with filters only.")
            .formatted(query));
    this.query = query;
  }

  /// The text that was searched for.
  public String query() {
    return query;
  }
}
