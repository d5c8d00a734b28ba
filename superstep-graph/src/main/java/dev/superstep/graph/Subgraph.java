package dev.superstep.graph;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.graph.internal.kernel.SubgraphPersistence;
import dev.superstep.graph.internal.kernel.SubgraphSpec;
import dev.superstep.json.Json;
import dev.superstep.node.ContextKey;
import dev.superstep.node.NodeContext;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Question;
import dev.superstep.run.Input;
import dev.superstep.state.State;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A graph that runs as a node of another. Immutable.
///
/// With [#of] it has channels of its own: one function makes its input from what the outer graph
/// has, another makes the node's result from its final state. With [#shared(Graph)] both graphs use
/// the channels that both declare. The functions are free of side effects.
///
/// Each activation is a run of its own, with checkpoints of its own on the outer run's thread:
/// after a crash or a failure it continues where it was, and a question that it asks is a question
/// of the whole run. [#remembering], [#withoutCheckpoints] and [#checkpointer] change what is
/// saved, and where.
///
/// @param <S> what the input is made from: the outer [State], or the argument of a
///   [dev.superstep.node.Send]
public final class Subgraph<S> {
  private final SubgraphSpec<S> spec;
  private final Graph graph;

  /// Code around a graph that is a node.
  ///
  /// @param <S> what the input of the graph is made from
  @FunctionalInterface
  public interface Interceptor<S> {
    /// Returns the result of the node. Runs from its start whenever the node does: after a failure,
    /// a crash, or an answer to a question of the subgraph. The subgraph itself continues where it
    /// was.
    ///
    /// @param from what the node got
    /// @param state of the outer graph
    NodeResult run(S from, State state, NodeContext context, Invocation<S> within) throws Exception;
  }

  /// The graph, for the code around it. Immutable.
  public static final class Invocation<S> {
    private final SubgraphSpec.Invocation<S> run;
    private final @Nullable SubgraphSpec<S> chosen;
    private final Map<ContextKey<?>, Object> given;

    private Invocation(
        SubgraphSpec.Invocation<S> run,
        @Nullable SubgraphSpec<S> chosen,
        Map<ContextKey<?>, Object> given) {
      this.run = run;
      this.chosen = chosen;
      this.given = given;
    }

    /// Runs the graph, or resumes it.
    ///
    /// @return the result that the node would have without code around it
    /// @throws IllegalStateException if it was called before in this attempt
    public NodeResult run(S from) throws InterruptedException {
      return run.run(from, chosen, given);
    }

    /// Returns a copy in which the nodes of the graph, and of those inside it, find this value in
    /// place of what the caller of the run gave.
    public <T> Invocation<S> with(ContextKey<T> key, T value) {
      var more = new LinkedHashMap<>(given);
      more.put(key, value);
      return new Invocation<>(run, chosen, more);
    }

    /// Returns a copy that runs this graph, in a node whose graph is [#chosen].
    ///
    /// @param other the same whenever the task runs; with channels of its own
    public Invocation<S> choosing(Subgraph<S> other) {
      return new Invocation<>(run, other.spec, given);
    }
  }

  private Subgraph(SubgraphSpec<S> spec, Graph graph) {
    this.spec = spec;
    this.graph = graph;
  }

  /// The graph that runs.
  public Graph graph() {
    return graph;
  }

  /// Returns whether both graphs use the channels that both declare.
  public boolean isShared() {
    return spec.isShared();
  }

  /// Returns whether each activation continues from the one before: [#remembering].
  public boolean isRemembering() {
    return spec.persistence() == SubgraphPersistence.REMEMBERED;
  }

  /// Returns whether its runs are saved; see [#withoutCheckpoints].
  public boolean isSaved() {
    return spec.persistence() != SubgraphPersistence.NOTHING;
  }

  private static <S> Subgraph<S> apart(
      Graph graph, Function<S, Input> input, @Nullable Function<State, NodeResult> output) {
    return new Subgraph<>(
        new SubgraphSpec<>(
            graph.compiled(), input, output, SubgraphPersistence.APART, null, null, null),
        graph);
  }

  /// Runs a graph as a node, with channels of its own.
  ///
  /// @param input makes its input
  /// @param output makes the outer node's writes, or its command, from the final state
  public static <S> Subgraph<S> of(
      Graph graph, Function<S, Input> input, Function<State, NodeResult> output) {
    return apart(graph, input, output);
  }

  /// Runs a graph as a node, on the channels that both graphs declare by the same constants. It
  /// starts with their current values, and the writes of its nodes to them become the writes of the
  /// outer node, in the order in which they were folded inside. So nothing is added twice, and
  /// subgraphs side by side merge as any two nodes do:
  ///
  /// - To a channel that takes one write in a superstep, only the last write comes back.
  /// - Where something was overwritten inside, the final value comes back as an overwrite.
  /// - Of a channel that lasts one superstep, what its last superstep wrote comes back.
  /// - Untracked channels are handed in, but what is written to them does not come back.
  /// - Tokens are not shared: each graph has its own.
  public static Subgraph<State> shared(Graph graph) {
    return apart(graph, _ -> Input.none(), null);
  }

  /// Like [#shared(Graph)], with input to channels that are not shared.
  ///
  /// @param input makes it, of the outer state or of what was sent
  public static <S> Subgraph<S> shared(Graph graph, Function<S, Input> input) {
    return apart(graph, input, null);
  }

  /// A node whose graph is only known when it runs, such as one that a model wrote. Its code
  /// chooses it, by [Invocation#choosing], and chooses the same whenever the task runs: the graph
  /// continues where it was, as any graph inside does. What the graphs around do not know of it
  /// beforehand is not to be had: its state is not shown inside that of the thread, it has no
  /// breakpoints, and it remembers nothing.
  ///
  /// @param standing asked in place of each question of the graph, with the same id and payload
  /// @param code chooses the graph and runs it
  public static <S> Subgraph<S> chosen(Question<Json, Json> standing, Interceptor<S> code) {
    var none =
        Graph.named("chosen")
            .node("none", (_, _) -> NodeResult.nothing())
            .edge(Graph.START, "none")
            .edge("none", Graph.END)
            .compile();
    var spec =
        new SubgraphSpec<S>(
            none.compiled(),
            _ -> Input.none(),
            _ -> NodeResult.nothing(),
            SubgraphPersistence.APART,
            null,
            null,
            standing);
    return new Subgraph<>(spec, none).interceptor(code);
  }

  /// Returns a copy that remembers: each activation in a thread continues from the final state of
  /// the one before, with new input, like an assistant with a memory. The memory belongs to the
  /// state of the thread: a rewind takes it back and a fork copies it. Not for nodes that are sent
  /// arguments, since several of them may run at once.
  public Subgraph<S> remembering() {
    return new Subgraph<>(
        spec.withPersistence(SubgraphPersistence.REMEMBERED, spec.store()), graph);
  }

  /// Returns a copy of which nothing is saved: after a crash or a failure it runs again from its
  /// start, and its nodes may not ask. For work that is quick and harmless to repeat.
  public Subgraph<S> withoutCheckpoints() {
    return new Subgraph<>(spec.withPersistence(SubgraphPersistence.NOTHING, null), graph);
  }

  /// Returns a copy whose checkpoints, and those of graphs inside it, are saved in this store, if
  /// the outer run is saved at all. Operations of [Threads] on the thread reach that store if they
  /// are [given the graph][Threads#reaching]. A store given here belongs to the threads of one
  /// other store, or the names of threads differ.
  public Subgraph<S> checkpointer(Checkpointer other) {
    var unkept = spec.persistence() == SubgraphPersistence.NOTHING;
    return new Subgraph<>(
        spec.withPersistence(unkept ? SubgraphPersistence.APART : spec.persistence(), other),
        graph);
  }

  /// Returns a copy with code around the subgraph that may change its input and its result, and may
  /// skip it. The input given when it began holds for the whole activation.
  public Subgraph<S> interceptor(Interceptor<S> around) {
    return new Subgraph<>(
        spec.interceptor((from, state, context, within) ->
            around.run(from, state, context, new Invocation<>(within, null, Map.of()))),
        graph);
  }

  /// The subgraph as the engine runs it.
  SubgraphSpec<S> spec() {
    return spec;
  }

  @Override
  public String toString() {
    return "Subgraph[" + graph.name() + "]";
  }
}
