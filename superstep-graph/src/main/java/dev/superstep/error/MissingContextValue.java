package dev.superstep.error;

import dev.superstep.json.SuperstepException;
import dev.superstep.node.ContextKey;

/// A node needs something that the caller of the run did not give.
public final class MissingContextValue extends SuperstepException {
  private static final long serialVersionUID = 1L;
  private final String node;
  private final String key;

  public MissingContextValue(String node, ContextKey<?> key) {
    super(
        "graph.missing-context-value",
        ("Node `%s` needs `%s` (%s), and the run was not given it. Pass it as"
                + " `options.with(key, value)`, also when the thread is resumed, or read it with"
                + " `find`.")
            .formatted(node, key.name(), key.type().getSimpleName()),
        null);
    this.node = node;
    this.key = key.name();
  }

  /// The node.
  public String node() {
    return node;
  }

  /// The name of the key.
  public String key() {
    return key;
  }
}
