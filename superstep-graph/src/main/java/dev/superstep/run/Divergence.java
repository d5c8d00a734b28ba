package dev.superstep.run;

import java.util.List;

/// The first difference between a replay and the recorded run. Immutable.
///
/// @param path the nodes that lead to the graph in which it is, outermost first
/// @param checkpoint the one that the superstep had led to
/// @param step the superstep
/// @param node the node that it is about, or empty
/// @param channel the channel that it is about, or empty
/// @param recorded what the run did
/// @param now what the replay did
public record Divergence(
    List<String> path,
    String checkpoint,
    int step,
    What what,
    String node,
    String channel,
    String recorded,
    String now) {
  private static final int TEXT_MAX = 300;

  public Divergence {
    path = List.copyOf(path);
  }

  /// The kind of a difference.
  public enum What {
    /// The shape of the graph.
    SHAPE,
    /// The initial value that a subgraph's input gives a channel.
    INPUT,
    /// A node did something of which nothing is recorded.
    EFFECT,
    /// A node sent another request to something outside, such as a model.
    REQUEST,
    /// A node ended differently: it failed or asked where it had returned, or the reverse.
    END,
    /// A node wrote something else.
    WRITES,
    /// A node returned something else besides writes: gotos, sends or a question.
    COMMAND,
    /// A channel has another value after the superstep.
    VALUE,
    /// A channel has changed more or fewer times.
    VERSION,
    /// Other tasks are pending next, or wait.
    ROUTING
  }

  /// For people: where it is, and both sides.
  public String text() {
    var text = new StringBuilder("Superstep ").append(step);
    if (!path.isEmpty()) text.append(" in ").append(String.join(" / ", path));
    text.append(", to checkpoint ").append(checkpoint).append(": ").append(title());
    text.append("\n  recorded: ").append(cut(recorded));
    return text.append("\n  now:      ").append(cut(now)).append('\n').toString();
  }

  private String title() {
    return switch (what) {
      case SHAPE -> "the graph has another shape";
      case INPUT -> "channel `" + channel + "` begins with something else";
      case EFFECT -> "node `" + node + "` does something of which nothing is recorded";
      case REQUEST -> "node `" + node + "` asks something else";
      case END ->
          node.isEmpty() ? "the superstep ends otherwise" : "node `" + node + "` ends otherwise";
      case WRITES -> "node `" + node + "` writes something else to channel `" + channel + "`";
      case COMMAND -> "node `" + node + "` returns something else";
      case VALUE -> "channel `" + channel + "` holds something else";
      case VERSION -> "channel `" + channel + "` has another version";
      case ROUTING -> "something else follows";
    };
  }

  private static String cut(String side) {
    return side.length() <= TEXT_MAX ? side : side.substring(0, TEXT_MAX) + "…";
  }
}
