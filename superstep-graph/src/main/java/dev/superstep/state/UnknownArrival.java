package dev.superstep.state;

import dev.superstep.json.SuperstepException;
import java.util.List;

/// A name was written to a barrier that does not wait for it.
public final class UnknownArrival extends SuperstepException {
  private final String channel;
  private final String name;

  UnknownArrival(String channel, String name, List<String> names) {
    super(
        "state.unknown-arrival",
        ("Barrier `%s` does not wait for `%s`, only for %s. Write one of these, or add the"
                + " name to the channel.")
            .formatted(channel, name, names));
    this.channel = channel;
    this.name = name;
  }

  /// The name of the channel.
  public String channel() {
    return channel;
  }

  /// The name that was written.
  public String name() {
    return name;
  }
}
