package dev.superstep.graph.internal.kernel;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.node.NodeContext;
import dev.superstep.node.NodeResult;
import dev.superstep.run.Input;
import dev.superstep.state.State;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A subgraph as the engine runs it, behind `Subgraph`. Immutable.
///
/// @param input makes the graph's input
/// @param output makes the node's result from the final state; null if both graphs share channels
/// @param store keeps its checkpoints instead of the outer run's, if it is there
/// @param code runs around the graph, if it is there
public record SubgraphSpec<S>(
    CompiledGraph graph,
    Function<S, Input> input,
    @Nullable Function<State, NodeResult> output,
    SubgraphPersistence keeping,
    @Nullable Checkpointer store,
    @Nullable Code<S> code) {
  /// Code around the graph.
  @FunctionalInterface
  public interface Code<S> {
    NodeResult run(S from, State around, NodeContext context, Within<S> within) throws Exception;
  }

  /// The graph, for the code around it.
  @FunctionalInterface
  public interface Within<S> {
    NodeResult run(S from) throws InterruptedException;
  }

  public SubgraphSpec<S> kept(SubgraphPersistence how, @Nullable Checkpointer where) {
    return new SubgraphSpec<>(graph, input, output, how, where, code);
  }

  public SubgraphSpec<S> around(Code<S> around) {
    return new SubgraphSpec<>(graph, input, output, keeping, store, around);
  }

  public boolean isShared() {
    return output == null;
  }

  /// Whether it, or one inside of it, remembers.
  public boolean remembers() {
    return keeping == SubgraphPersistence.REMEMBERED || graph.depths().remembers();
  }

  /// Whether it, or one inside of it, is kept in some way of its own.
  public boolean isSpecial() {
    return keeping == SubgraphPersistence.REMEMBERED || store != null || graph.depths().isSpecial();
  }

  public NodeResult run(S from, State around, EngineContext context) throws Exception {
    if (code == null) return nested(from, around, context);
    var hasRun = new AtomicBoolean();
    return code.run(
        from,
        around,
        context,
        given -> {
          if (hasRun.getAndSet(true)) {
            throw new IllegalStateException("graph `" + graph.name() + "` runs once in its node");
          }
          return nested(given, around, context);
        });
  }

  private NodeResult nested(S from, State around, EngineContext context)
      throws InterruptedException {
    return context.nested(() -> input.apply(from), around);
  }
}
