package dev.superstep.state;

import dev.superstep.json.SuperstepException;

/// A node, router or input used a channel that the graph does not declare.
public final class UndeclaredChannel extends SuperstepException {
  private final String channel;

  public UndeclaredChannel(String graph, String channel) {
    super(
        "state.undeclared-channel",
        "Graph `%s` does not declare channel `%s`. Add the same constant to `channels(...)`."
            .formatted(graph, channel));
    this.channel = channel;
  }

  /// The name of the channel.
  public String channel() {
    return channel;
  }
}
