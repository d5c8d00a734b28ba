package dev.superstep.graph;

import dev.superstep.json.SuperstepException;

/// Two writes of one superstep met in a channel that holds a single value.
public final class ConcurrentWrites extends SuperstepException {
  private static final long serialVersionUID = 1L;
  private final String channel;
  private final String first;
  private final String second;

  ConcurrentWrites(String channel, String first, String second) {
    super(
        "graph.concurrent-writes",
        "Tasks `"
            + first
            + "` and `"
            + second
            + "` both wrote channel `"
            + channel
            + "` in one superstep, and it holds a single value. Give it a reducer, or let one task"
            + " write it.",
        null);
    this.channel = channel;
    this.first = first;
    this.second = second;
  }

  /// The channel.
  public String channel() {
    return channel;
  }

  /// The task whose write comes first in task order.
  public String first() {
    return first;
  }

  /// The other task.
  public String second() {
    return second;
  }
}
