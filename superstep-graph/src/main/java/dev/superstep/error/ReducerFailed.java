package dev.superstep.error;

/// A reducer threw; its exception is the cause. The superstep is not committed.
public final class ReducerFailed extends StepFailed {
  private final String channel;

  public ReducerFailed(String channel, Throwable cause) {
    super(
        "graph.reducer-failed",
        ("The writes to channel `%s` cannot be folded: %s. Nothing of the superstep was"
                + " folded.")
            .formatted(channel, NodeFailed.why(cause)),
        cause);
    this.channel = channel;
  }

  /// The channel.
  public String channel() {
    return channel;
  }
}
