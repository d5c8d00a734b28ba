package dev.superstep.rag.error;

import dev.superstep.json.SuperstepException;
import java.util.Collection;

/// A node ended with a label for which it has no route.
public final class MissingRoute extends SuperstepException {
  private final String node;
  private final String label;

  public MissingRoute(String node, String label, Collection<String> labels) {
    super(
        "rag.missing-route",
        "node `%s` ended with `%s`, for which it has no route; it has %s"
            .formatted(node, label, String.join(", ", labels)));
    this.node = node;
    this.label = label;
  }

  /// The node.
  public String node() {
    return node;
  }

  /// The label that it ended with.
  public String label() {
    return label;
  }
}
