package dev.superstep.graph;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.state.State;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A graph that runs as a node of another. Immutable.
///
/// With [#of] it has channels of its own: one function makes its input from what the outer graph
/// has, another makes the node's result from its final state. With [#shared(Graph)] both graphs use
/// the channels that both declare. The functions are free of side effects.
///
/// Each activation is a run of its own, with checkpoints of its own on the outer run's thread:
/// after a crash or a failure it goes on where it was, and a question that it asks is a question of
/// the whole run. [#remembering], [#unkept] and [#keptIn] change what is kept, and where.
///
/// @param <S> what the input is made from: the outer [State], or the argument of a [Send]
public final class Subgraph<S> {
  private final Graph graph;
  private final Function<S, Input> input;
  private final @Nullable Function<State, NodeResult> output;
  private Keeping keeping = Keeping.APART;
  private @Nullable Checkpointer store;

  private Subgraph(
      Graph graph, Function<S, Input> input, @Nullable Function<State, NodeResult> output) {
    this.graph = graph;
    this.input = input;
    this.output = output;
  }

  /// Runs a graph as a node, with channels of its own.
  ///
  /// @param input makes its input
  /// @param output makes the outer node's writes, or its command, from the final state
  public static <S> Subgraph<S> of(
      Graph graph, Function<S, Input> input, Function<State, NodeResult> output) {
    return new Subgraph<>(graph, input, output);
  }

  /// Runs a graph as a node, on the channels that both graphs declare by the same constants. It
  /// starts with their values as they stand, and what its nodes write to them comes back as the
  /// writes of the outer node, in the order in which they were folded inside. So nothing is added
  /// twice, and subgraphs side by side merge as any two nodes do:
  ///
  /// - To a channel that takes one write in a superstep, only the last write comes back.
  /// - Where something was overwritten inside, the final value comes back as an overwrite.
  /// - Of a channel that lasts one superstep, what its last superstep wrote comes back.
  /// - Untracked channels are handed in, but what is written to them does not come back.
  /// - Tokens are not shared: each graph has its own.
  public static Subgraph<State> shared(Graph graph) {
    return new Subgraph<>(graph, _ -> Input.none(), null);
  }

  /// Like [#shared(Graph)], with input to channels that are not shared.
  ///
  /// @param input makes it, of the outer state or of what was sent
  public static <S> Subgraph<S> shared(Graph graph, Function<S, Input> input) {
    return new Subgraph<>(graph, input, null);
  }

  /// The same, but each activation in a thread goes on from the state that the one before left,
  /// with new input, like an assistant that remembers. Not for nodes that are sent arguments, since
  /// several of them may run at once.
  public Subgraph<S> remembering() {
    return kept(Keeping.REMEMBERED, store);
  }

  /// The same, but nothing of it is kept: after a crash or a failure it runs again from its start,
  /// and its nodes may not ask. For work that is quick and harmless to do twice.
  public Subgraph<S> unkept() {
    return kept(Keeping.NOTHING, null);
  }

  /// The same, but its checkpoints, and those of graphs inside of it, are kept in this store, if
  /// the outer run is kept at all.
  public Subgraph<S> keptIn(Checkpointer other) {
    return kept(keeping == Keeping.NOTHING ? Keeping.APART : keeping, other);
  }

  private Subgraph<S> kept(Keeping how, @Nullable Checkpointer where) {
    var copy = new Subgraph<>(graph, input, output);
    copy.keeping = how;
    copy.store = where;
    return copy;
  }

  Graph graph() {
    return graph;
  }

  boolean isShared() {
    return output == null;
  }

  Keeping keeping() {
    return keeping;
  }

  /// Whether it, or one inside of it, remembers.
  boolean remembers() {
    return keeping == Keeping.REMEMBERED || graph.depths().remembers();
  }

  /// Whether it, or one inside of it, is kept in some way of its own.
  boolean isSpecial() {
    return keeping == Keeping.REMEMBERED || store != null || graph.depths().isSpecial();
  }

  @Nullable Checkpointer store() {
    return store;
  }

  NodeResult run(S from, State around, TaskContext context) throws InterruptedException {
    return context.nested(() -> input.apply(from), around);
  }

  /// The node's result.
  NodeResult result(Snapshot end) {
    if (output != null) return output.apply(end);
    var outbox = end.layout().outbox();
    if (outbox == null) throw new IllegalStateException("a shared graph has an outbox");
    return new Landed(new Ended.Finished(outbox.writes(end), null, List.of()));
  }
}
