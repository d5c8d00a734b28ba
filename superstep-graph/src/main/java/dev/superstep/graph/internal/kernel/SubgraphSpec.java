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
    SubgraphPersistence persistence,
    @Nullable Checkpointer store,
    @Nullable Interceptor<S> code) {
  /// Code around the graph.
  @FunctionalInterface
  public interface Interceptor<S> {
    NodeResult run(S from, State outer, NodeContext context, Invocation<S> within) throws Exception;
  }

  /// The graph, for the code around it.
  @FunctionalInterface
  public interface Invocation<S> {
    NodeResult run(S from) throws InterruptedException;
  }

  public SubgraphSpec<S> withPersistence(SubgraphPersistence how, @Nullable Checkpointer where) {
    return new SubgraphSpec<>(graph, input, output, how, where, code);
  }

  public SubgraphSpec<S> interceptor(Interceptor<S> around) {
    return new SubgraphSpec<>(graph, input, output, persistence, store, around);
  }

  public boolean isShared() {
    return output == null;
  }

  /// Returns whether this subgraph, or one inside it, remembers.
  public boolean remembers() {
    return persistence == SubgraphPersistence.REMEMBERED || graph.nesting().remembers();
  }

  /// Returns whether this subgraph, or one inside it, has its own kind of persistence or its own
  /// store.
  public boolean isSpecial() {
    return persistence == SubgraphPersistence.REMEMBERED
        || store != null
        || graph.nesting().isSpecial();
  }

  public NodeResult run(S from, State outer, EngineContext context) throws Exception {
    if (code == null) return nested(from, outer, context);
    var hasRun = new AtomicBoolean();
    return code.run(
        from,
        outer,
        context,
        given -> {
          if (hasRun.getAndSet(true)) {
            throw new IllegalStateException("graph `" + graph.name() + "` runs once in its node");
          }
          return nested(given, outer, context);
        });
  }

  private NodeResult nested(S from, State outer, EngineContext context)
      throws InterruptedException {
    return context.nested(() -> input.apply(from), outer);
  }
}
