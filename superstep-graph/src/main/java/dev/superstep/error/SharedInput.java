package dev.superstep.error;

import dev.superstep.json.SuperstepException;
import dev.superstep.state.Channel;

/// The input of a subgraph writes a channel that it shares with the graph around, whose value is
/// handed in as it stands.
public final class SharedInput extends SuperstepException {
  private static final long serialVersionUID = 1L;
  private final String channel;

  public SharedInput(String graph, Channel<?, ?> channel) {
    super(
        "graph.shared-input",
        ("The input of subgraph `%s` writes channel `%s`, which it shares with the graph"
                + " around. Write it in a node, or give the subgraph a channel of its own for it.")
            .formatted(graph, channel.name()),
        null);
    this.channel = channel.name();
  }

  /// The channel.
  public String channel() {
    return channel;
  }
}
