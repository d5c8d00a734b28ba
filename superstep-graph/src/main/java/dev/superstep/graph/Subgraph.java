package dev.superstep.graph;

import dev.superstep.state.State;
import java.util.function.Function;

/// A graph that runs as a node of another. It has channels of its own: one function makes its input
/// from what the outer graph has, another makes the node's result from its final state. Both are
/// free of side effects. Immutable.
///
/// Each activation is a run of its own, with checkpoints of its own on the outer run's thread:
/// after a crash it goes on where it was, and a question that it asks is a question of the whole
/// run.
///
/// @param <S> what the input is made from: the outer [State], or the argument of a [Send]
public final class Subgraph<S> {
  private final Graph graph;
  private final Function<S, Input> input;
  private final Function<State, NodeResult> output;

  private Subgraph(Graph graph, Function<S, Input> input, Function<State, NodeResult> output) {
    this.graph = graph;
    this.input = input;
    this.output = output;
  }

  /// Runs a graph as a node.
  ///
  /// @param input makes its input
  /// @param output makes the outer node's writes, or its command, from the final state
  public static <S> Subgraph<S> of(
      Graph graph, Function<S, Input> input, Function<State, NodeResult> output) {
    return new Subgraph<>(graph, input, output);
  }

  Graph graph() {
    return graph;
  }

  NodeResult run(S from, TaskContext context) throws InterruptedException {
    return output.apply(context.nested(graph, input.apply(from)));
  }
}
