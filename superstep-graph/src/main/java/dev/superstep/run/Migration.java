package dev.superstep.run;

import dev.superstep.json.Json;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/// The mapping of threads that one shape of a graph saved to another shape. Given to a run by
/// [dev.superstep.graph.RunOptions#migrations]; several that follow each other are applied
/// together. Immutable.
///
/// ```java
/// Migration.between(old, graph.topology().hash())
///     .renameNode("triage", "sort")
///     .renameChannel("mails", "messages")
///     .transform("ticket", json -> withPriority(json));
/// ```
///
/// Finished tasks stay finished, open questions stay open, and pending tasks stay pending, under
/// their node's new name. Names inside a subgraph are changed by a migration of that subgraph. The
/// memory of a subgraph moves with its node; only what was last saved in format 1 is not found
/// under a new name.
public final class Migration {
  private final String from;
  private final String to;
  private final Map<String, String> nodes = new LinkedHashMap<>();
  private final Map<String, String> channels = new LinkedHashMap<>();
  private final Map<String, UnaryOperator<Json>> values = new LinkedHashMap<>();
  private final Map<String, UnaryOperator<Json>> arguments = new LinkedHashMap<>();
  private final Set<String> dropped = new LinkedHashSet<>();

  private Migration(String from, String to) {
    this.from = from;
    this.to = to;
  }

  /// Returns an empty migration from one shape to another.
  ///
  /// @param from the hash of the topology that saved the thread; the error that a changed graph
  ///   gives names it
  /// @param to the hash of the topology with which it is to continue
  public static Migration between(String from, String to) {
    if (from.equals(to)) throw new IllegalArgumentException("from and to are both " + from);
    return new Migration(from, to);
  }

  /// Moves the pending tasks of a node, and those that came from it, to another node.
  public Migration renameNode(String old, String now) {
    var copy = copy();
    copy.nodes.put(old, now);
    return copy;
  }

  /// Moves the value of a channel, and what was written to it, to another channel.
  public Migration renameChannel(String old, String now) {
    var copy = copy();
    copy.channels.put(old, now);
    return copy;
  }

  /// Changes the value of a channel, and the writes to it that are not folded yet. In a channel
  /// that is stored item by item, each item is changed; in any other, the whole value.
  ///
  /// @param channel its new name, if it is renamed
  public Migration transform(String channel, UnaryOperator<Json> change) {
    var copy = copy();
    copy.values.merge(channel, change, (first, second) -> json -> second.apply(first.apply(json)));
    return copy;
  }

  /// Changes the arguments sent to a node, or still to be sent, with which it has not run yet.
  ///
  /// @param node its new name, if it is renamed
  public Migration transformArgument(String node, UnaryOperator<Json> change) {
    var copy = copy();
    copy.arguments.merge(node, change, (first, second) -> json -> second.apply(first.apply(json)));
    return copy;
  }

  /// Drops a channel that the graph no longer has, and what was written to it.
  public Migration drop(String channel) {
    var copy = copy();
    copy.dropped.add(channel);
    return copy;
  }

  public String from() {
    return from;
  }

  public String to() {
    return to;
  }

  public String node(String name) {
    return nodes.getOrDefault(name, name);
  }

  public String channel(String name) {
    return channels.getOrDefault(name, name);
  }

  /// Returns a value in the form of the new shape.
  ///
  /// @param channel its new name
  public Json value(String channel, Json value) {
    var change = values.get(channel);
    return change == null ? value : change.apply(value);
  }

  /// Returns the argument of a node in the form of the new shape.
  ///
  /// @param node its new name
  public Json argument(String node, Json value) {
    var change = arguments.get(node);
    return change == null ? value : change.apply(value);
  }

  /// Returns whether values of a channel are changed.
  ///
  /// @param channel its new name
  public boolean changes(String channel) {
    return values.containsKey(channel);
  }

  /// Returns whether a channel is dropped.
  ///
  /// @param channel its old name
  public boolean drops(String channel) {
    return dropped.contains(channel);
  }

  private Migration copy() {
    var copy = new Migration(from, to);
    copy.nodes.putAll(nodes);
    copy.channels.putAll(channels);
    copy.values.putAll(values);
    copy.arguments.putAll(arguments);
    copy.dropped.addAll(dropped);
    return copy;
  }

  @Override
  public String toString() {
    return "Migration[" + from + " -> " + to + "]";
  }
}
