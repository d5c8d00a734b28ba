package dev.superstep.lobe;

import dev.superstep.json.SuperstepException;

/// A lobe read a channel that it does not declare.
public final class HiddenChannel extends SuperstepException {
  private final String lobe;
  private final String channel;

  HiddenChannel(String lobe, String channel) {
    super(
        "lobe.hidden-channel",
        "Lobe `%s` read channel `%s`, which is hidden from it. Declare it by `reads`, or ask by `inspect`."
            .formatted(lobe, channel));
    this.lobe = lobe;
    this.channel = channel;
  }

  /// The name of the lobe.
  public String lobe() {
    return lobe;
  }

  /// The name of the channel.
  public String channel() {
    return channel;
  }
}
