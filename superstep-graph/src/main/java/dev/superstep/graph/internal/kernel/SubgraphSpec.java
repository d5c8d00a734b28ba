package dev.superstep.graph.internal.kernel;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.json.Json;
import dev.superstep.node.ContextKey;
import dev.superstep.node.NodeContext;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Question;
import dev.superstep.run.Input;
import dev.superstep.state.State;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A subgraph as the engine runs it, behind `Subgraph`. Immutable.
///
/// @param input makes the graph's input
/// @param output makes the node's result from the final state; null if both graphs share channels
/// @param store keeps its checkpoints instead of the outer run's, if it is there
/// @param code runs around the graph, if it is there
/// @param standing stands for the questions of a graph that is chosen when it runs; null if this
///   graph is the one that runs
public record SubgraphSpec<S>(
    CompiledGraph graph,
    Function<S, Input> input,
    @Nullable Function<State, NodeResult> output,
    SubgraphPersistence persistence,
    @Nullable Checkpointer store,
    @Nullable Interceptor<S> code,
    @Nullable Question<Json, Json> standing) {
  /// Code around the graph.
  @FunctionalInterface
  public interface Interceptor<S> {
    NodeResult run(S from, State outer, NodeContext context, Invocation<S> within) throws Exception;
  }

  /// The graph, for the code around it.
  @FunctionalInterface
  public interface Invocation<S> {
    /// Runs the graph, or what is chosen in place of it.
    ///
    /// @param chosen what runs in place of the graph; null if that does
    /// @param given values for the nodes inside
    NodeResult run(S from, @Nullable SubgraphSpec<S> chosen, Map<ContextKey<?>, Object> given)
        throws InterruptedException;
  }

  /// Returns whether what runs is only known when it runs.
  public boolean isChosen() {
    return standing != null;
  }

  public SubgraphSpec<S> withPersistence(SubgraphPersistence how, @Nullable Checkpointer where) {
    return new SubgraphSpec<>(graph, input, output, how, where, code, standing);
  }

  public SubgraphSpec<S> interceptor(Interceptor<S> around) {
    return new SubgraphSpec<>(graph, input, output, persistence, store, around, standing);
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
    if (code == null) return nested(from, outer, context, null, Map.of());
    var hasRun = new AtomicBoolean();
    return code.run(
        from,
        outer,
        context,
        (given, chosen, values) -> {
          if (hasRun.getAndSet(true)) {
            throw new IllegalStateException("graph `" + graph.name() + "` runs once in its node");
          }
          return nested(given, outer, context, chosen, values);
        });
  }

  private NodeResult nested(
      S from,
      State outer,
      EngineContext context,
      @Nullable SubgraphSpec<S> chosen,
      Map<ContextKey<?>, Object> values)
      throws InterruptedException {
    if (isChosen() == (chosen == null)) {
      throw new IllegalStateException(
          isChosen() ? "no graph was chosen" : "another graph was chosen before it ran");
    }
    if (chosen == null) {
      return context.nested(
          new EngineContext.NestedCall(() -> input.apply(from), outer, null, values));
    }
    var inside = SubgraphNode.of(chosen.standing(standing), List.of());
    return context.nested(
        new EngineContext.NestedCall(() -> chosen.input.apply(from), outer, inside, values));
  }

  /// Returns a copy that runs where the graphs around do not know it.
  private SubgraphSpec<S> standing(@Nullable Question<Json, Json> question) {
    if (isShared() || remembers() || isSpecial() || graph.pausesSomewhere()) {
      throw new IllegalArgumentException(
          "graph `"
              + graph.name()
              + "` is chosen when it runs, so it has channels of its own, remembers nothing, has"
              + " no store of its own and no breakpoints");
    }
    return new SubgraphSpec<>(graph, input, output, persistence, null, null, question);
  }
}
