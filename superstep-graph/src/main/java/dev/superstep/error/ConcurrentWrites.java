package dev.superstep.error;

import dev.superstep.topology.Topology;

/// Two writes of one superstep met in a channel that holds a single value.
public final class ConcurrentWrites extends StepFailed {
  private final String channel;
  private final transient Writer first;
  private final transient Writer second;

  public ConcurrentWrites(String channel, Writer first, Writer second) {
    super("graph.concurrent-writes", message(channel, first, second), null);
    this.channel = channel;
    this.first = first;
    this.second = second;
  }

  /// Who wrote.
  ///
  /// @param task its id, or `input`
  /// @param node its node; START for the input
  public record Writer(String task, String node) {
    String text() {
      return node.equals(Topology.START)
          ? "the input"
          : "node `" + node + "` (task `" + task + "`)";
    }
  }

  private static String message(String channel, Writer first, Writer second) {
    var who =
        first.equals(second)
            ? first.text() + " wrote channel `" + channel + "` twice"
            : first.text() + " and " + second.text() + " both wrote channel `" + channel + "`";
    return Character.toUpperCase(who.charAt(0))
        + who.substring(1)
        + " in one superstep, and it holds a single value. Give it a reducer, or let it be written"
        + " once.";
  }

  /// The channel.
  public String channel() {
    return channel;
  }

  /// Whose write comes first in task order.
  public Writer first() {
    return first;
  }

  /// Whose write comes next; the same if one task wrote twice.
  public Writer second() {
    return second;
  }
}
