package dev.superstep.shape;

import dev.superstep.graph.GraphBuilder;
import dev.superstep.graph.NodePolicy;
import dev.superstep.graph.Subgraph;
import dev.superstep.node.Node;
import dev.superstep.state.State;
import java.util.function.BiConsumer;

/// The code at a place of a shape, if it is more than a plain [Node]: a node with a policy, or a
/// graph. Immutable.
public final class Step {
  private final BiConsumer<GraphBuilder, String> adding;

  private Step(BiConsumer<GraphBuilder, String> adding) {
    this.adding = adding;
  }

  /// A node.
  public static Step of(Node node) {
    return new Step((builder, name) -> builder.node(name, node));
  }

  /// A node, and what is done if it fails or takes too long.
  public static Step of(Node node, NodePolicy policy) {
    return new Step((builder, name) -> builder.node(name, node, policy));
  }

  /// A graph.
  public static Step of(Subgraph<State> graph) {
    return new Step((builder, name) -> builder.node(name, graph));
  }

  /// A graph, and what is done if it fails or takes too long, as a whole.
  public static Step of(Subgraph<State> graph, NodePolicy policy) {
    return new Step((builder, name) -> builder.node(name, graph, policy));
  }

  void addTo(GraphBuilder builder, String name) {
    adding.accept(builder, name);
  }
}
