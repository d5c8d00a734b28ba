package dev.superstep.error;

/// A token was written over one that no node had consumed yet.
public final class TokenUnread extends StepFailed {
  private final String channel;
  private final String task;
  private final String node;

  public TokenUnread(String channel, ConcurrentWrites.Writer writer) {
    super(
        "graph.token-unread",
        ("Token `%s` was overwritten while unread, by %s. Let the node that waits for it run"
                + " first, or replace it on purpose with `Update.overwrite`.")
            .formatted(channel, writer.text()),
        null);
    this.channel = channel;
    this.task = writer.task();
    this.node = writer.node();
  }

  /// The channel.
  public String channel() {
    return channel;
  }

  /// The id of the writing task, or `input`.
  public String task() {
    return task;
  }

  /// The writing node; START for the input.
  public String node() {
    return node;
  }
}
