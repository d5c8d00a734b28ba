package dev.superstep.graph.internal.kernel;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Chooses again what was chosen in a superstep. Immutable.
public record RecordedRoutes(Map<String, List<String>> chosen) implements RouteOverride {
  @Override
  public @Nullable List<String> choose(String from, int number, GraphDefinition.RoutePart route) {
    return chosen.get(RouteOverride.router(from, number));
  }
}
