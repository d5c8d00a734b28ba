package dev.superstep.error;

import dev.superstep.json.SuperstepException;

/// A node read or wrote a channel that is not among those which it declares.
public final class UndeclaredAccess extends SuperstepException {
  private static final long serialVersionUID = 1L;
  private final String node;
  private final String channel;
  private final Kind kind;

  /// The kind of an access.
  public enum Kind {
    /// It looked at the channel's value or version.
    READ,
    /// It returned a write to the channel.
    WRITE
  }

  public UndeclaredAccess(String node, String channel, Kind kind) {
    super("graph.undeclared-access", message(node, channel, kind), null);
    this.node = node;
    this.channel = channel;
    this.kind = kind;
  }

  private static String message(String node, String channel, Kind kind) {
    var verb =
        switch (kind) {
          case READ -> "reads";
          case WRITE -> "writes";
        };
    return "Node `"
        + node
        + "` "
        + verb
        + " channel `"
        + channel
        + "`, which it does not declare. Add it to `"
        + verb
        + "(\""
        + node
        + "\", ...)` of the graph.";
  }

  /// The node.
  public String node() {
    return node;
  }

  /// The name of the channel.
  public String channel() {
    return channel;
  }

  /// The kind of the access.
  public Kind kind() {
    return kind;
  }
}
