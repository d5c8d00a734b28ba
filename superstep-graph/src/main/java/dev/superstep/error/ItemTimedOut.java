package dev.superstep.error;

import dev.superstep.json.SuperstepException;
import dev.superstep.node.RetryHint;
import java.time.Duration;

/// An item of a [dev.superstep.graph.Parallel] took longer than it may. Whatever it does later is
/// dropped.
public final class ItemTimedOut extends SuperstepException implements RetryHint {
  private final String node;
  private final int index;
  private final Duration limit;
  private final boolean total;

  public ItemTimedOut(String node, int index, Duration limit, boolean total) {
    super(
        "graph.item-timed-out",
        "Item "
            + index
            + " in node `"
            + node
            + "` was not done "
            + (total
                    ? "when the %s for all items were over. Raise `totalTimeout`, or allow more at"
                        + " once."
                    : "within %s. If it needs longer, raise `itemTimeout`.")
                .formatted(limit));
    this.node = node;
    this.index = index;
    this.limit = limit;
    this.total = total;
  }

  /// The node.
  public String node() {
    return node;
  }

  /// The item's place, from 0.
  public int index() {
    return index;
  }

  /// The time limit that was exceeded: that of the item, or of all items.
  public Duration limit() {
    return limit;
  }

  /// Returns whether the time of all items ran out, rather than the item's own.
  public boolean isTotal() {
    return total;
  }

  @Override
  public boolean isRetryable() {
    return true;
  }
}
