package dev.superstep.graph;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// A node with all that follows it. Immutable once the graph is made.
final class NodeSpec {
  private final String name;
  private final int index;
  private final NodeBody body;
  final List<NodeSpec> direct = new ArrayList<>();
  final List<Parts.RoutePart> routes = new ArrayList<>();
  final List<Parts.FanOutPart> fanOuts = new ArrayList<>();
  final List<Join> joins = new ArrayList<>();

  /// Where its commands may lead; empty if it returns none.
  final List<String> destinations = new ArrayList<>();

  /// A node that waits for several.
  ///
  /// @param name for people and for checkpoints, as `a+b -> c`
  record Join(String name, Set<String> from, NodeSpec to) {}

  NodeSpec(String name, int index, NodeBody body) {
    this.name = name;
    this.index = index;
    this.body = body;
  }

  String name() {
    return name;
  }

  /// The place in the order of declaration, which is the order of tasks.
  int index() {
    return index;
  }

  NodeBody body() {
    return body;
  }

  boolean takesArgument() {
    return body instanceof NodeBody.OnArgument<?>;
  }

  /// Whether something follows it without a command. Reaching END counts.
  boolean hasEdges;
}
