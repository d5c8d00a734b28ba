package dev.superstep.graph;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Chooses again what was chosen in a superstep. Immutable.
record Chosen(Map<String, List<String>> chosen) implements Chooser {
  @Override
  public @Nullable List<String> choose(String from, int number, Parts.RoutePart route) {
    return chosen.get(Chooser.router(from, number));
  }
}
