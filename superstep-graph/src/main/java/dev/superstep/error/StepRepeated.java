package dev.superstep.error;

import dev.superstep.json.SuperstepException;

/// A node used one step key twice in one run of itself, so that the second effect would be given
/// the result of the first.
public final class StepRepeated extends SuperstepException {
  private static final long serialVersionUID = 1L;
  private final String node;
  private final String key;

  public StepRepeated(String node, String key) {
    super(
        "graph.step-repeated",
        ("Node `%s` used step key `%s` twice in one run of itself. Give every step a key of"
                + " its own, such as `%s-2`.")
            .formatted(node, key, key),
        null);
    this.node = node;
    this.key = key;
  }

  /// The node.
  public String node() {
    return node;
  }

  /// The key.
  public String key() {
    return key;
  }
}
