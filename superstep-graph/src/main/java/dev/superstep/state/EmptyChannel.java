package dev.superstep.state;

import dev.superstep.json.SuperstepException;

/// A channel was read before anything was written to it.
public final class EmptyChannel extends SuperstepException {
  private final String channel;

  public EmptyChannel(String channel) {
    super(
        "state.empty-channel",
        ("Channel `%s` was read before it was written. Write it in the input or an earlier"
                + " node, or read it with `find`.")
            .formatted(channel));
    this.channel = channel;
  }

  /// The name of the channel.
  public String channel() {
    return channel;
  }
}
