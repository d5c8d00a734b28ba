package dev.superstep.shape;

import dev.superstep.graph.Graph;
import dev.superstep.graph.GraphBuilder;
import dev.superstep.graph.NodePolicy;
import dev.superstep.graph.Subgraph;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/// Hands work to another graph and brings the result back, channel by channel.
///
/// ```java
/// var research =
///     Delegate.named("research", Research.GRAPH)
///         .input(QUESTION, Research.TOPIC)
///         .output(Research.FINDINGS, ANSWER);
/// research.addTo(builder).edge(START, research.entry());
/// ```
///
/// The graph runs as a [Subgraph]: finished work in it is saved, and its questions are questions of
/// the whole run. One thread at a time.
public final class Delegate {
  private final Outline outline;
  private final Graph graph;
  private final List<InputMapping<?>> inputs = new ArrayList<>();
  private final List<OutputMapping<?>> outputs = new ArrayList<>();
  private UnaryOperator<Subgraph<State>> persistence = subgraph -> subgraph;
  private NodePolicy policy = NodePolicy.defaults();
  private String then = Graph.END;

  private Delegate(String name, Graph graph) {
    this.outline = new Outline(name, "delegate");
    this.graph = graph;
  }

  /// A shape whose node is named `name.delegate`.
  public static Delegate named(String name, Graph graph) {
    return new Delegate(name, graph);
  }

  /// Starts the other graph with the value of a channel, written to one of its own.
  public <T> Delegate input(Channel<T, ?> from, Channel<?, T> to) {
    inputs.add(new InputMapping<>(from, to));
    return this;
  }

  /// Writes the value that one of the other graph's channels has at its end to a channel.
  public <T> Delegate output(Channel<T, ?> from, Channel<?, T> to) {
    outputs.add(new OutputMapping<>(from, to));
    return this;
  }

  /// Sets the persistence of the other graph, such as `Subgraph::remembering`.
  public Delegate persistence(UnaryOperator<Subgraph<State>> keeping) {
    persistence = keeping;
    return this;
  }

  /// Sets the policy for failures and time limits of the other graph.
  public Delegate policy(NodePolicy asWhole) {
    policy = asWhole;
    return this;
  }

  /// Sets the node that follows; the end of the graph unless set.
  public Delegate then(String node) {
    then = node;
    return this;
  }

  /// The node with which it begins.
  public String entry() {
    return outline.node("delegate");
  }

  /// Adds the node and its edge to a graph. What leads to [#entry] is up to the graph.
  public GraphBuilder addTo(GraphBuilder builder) {
    var gives = List.copyOf(inputs);
    var takes = List.copyOf(outputs);
    var subgraph = Subgraph.<State>of(graph, outer -> input(gives, outer), s -> result(takes, s));
    return builder.node(entry(), persistence.apply(subgraph), policy).edge(entry(), then);
  }

  private static Input input(List<InputMapping<?>> gives, State outer) {
    var input = Input.none();
    for (var one : gives) input = one.into(input, outer);
    return input;
  }

  private static Update result(List<OutputMapping<?>> takes, State inner) {
    var update = new Update(List.of());
    for (var one : takes) update = one.into(update, inner);
    return update;
  }

  private record InputMapping<T>(Channel<T, ?> from, Channel<?, T> to) {
    Input into(Input input, State outer) {
      return input.and(to, outer.get(from));
    }
  }

  private record OutputMapping<T>(Channel<T, ?> from, Channel<?, T> to) {
    Update into(Update update, State inner) {
      return update.and(to, inner.get(from));
    }
  }

  @Override
  public String toString() {
    return "Delegate[" + graph.name() + "]";
  }
}
