package dev.superstep.graph.internal.replay;

import dev.superstep.graph.internal.kernel.NodeSpec;
import dev.superstep.graph.internal.kernel.RouteOverride;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Chooses again what was chosen in a superstep. Immutable.
record RecordedRoutes(Map<String, List<String>> chosen) implements RouteOverride {
  @Override
  public @Nullable List<String> choose(String from, int number, NodeSpec.Route route) {
    return chosen.get(RouteOverride.router(from, number));
  }
}
