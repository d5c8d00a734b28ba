package dev.superstep.graph.internal.kernel;

import dev.superstep.node.ContextKey;
import dev.superstep.run.Input;
import dev.superstep.state.State;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A graph that a task wants to run inside itself. Immutable.
///
/// @param input made only if there is no state to resume
/// @param outer the state of the task's own graph
/// @param chosen what runs in place of the graph of the node; null if that does
/// @param given values for all nodes inside, beside those of the caller of the run
public record NestedCall(
    Supplier<Input> input,
    State outer,
    @Nullable SubgraphNode chosen,
    Map<ContextKey<?>, Object> given) {
  /// The graph in its place.
  ///
  /// @param own the graph of the node
  public SubgraphNode inside(@Nullable SubgraphNode own) {
    if (chosen != null) return chosen;
    if (own == null) throw new IllegalStateException("the node is no graph");
    return own;
  }

  /// The settings of a run inside.
  public RunSettings in(RunSettings around) {
    if (given.isEmpty()) return around;
    var all = new LinkedHashMap<>(around.given);
    all.putAll(given);
    return around.with(settings -> settings.given = all);
  }
}
