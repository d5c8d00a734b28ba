package dev.superstep.store;

import dev.superstep.json.SuperstepException;

/// An item was embedded by another embedder than the one that the store has now. Distances between
/// vectors of two embedders mean nothing, so nothing is found rather than something wrong.
public final class EmbedderMismatch extends SuperstepException {
  private final String stored;
  private final String used;

  EmbedderMismatch(Item item, String stored, String used) {
    super(
        "store.embedder-mismatch",
        "Item `%s` in `%s` was embedded by `%s`, and the store now embeds with `%s`. Open it with"
                .formatted(item.key(), item.namespace(), stored, used)
            + " that embedder, or put the items of the namespace again.");
    this.stored = stored;
    this.used = used;
  }

  /// The id of the embedder of the item.
  public String stored() {
    return stored;
  }

  /// The id of the embedder of the store.
  public String used() {
    return used;
  }
}
