package dev.superstep.registry;

import dev.superstep.json.SuperstepException;
import java.util.List;
import java.util.stream.Collectors;

/// Components need each other.
public final class DependencyCycle extends SuperstepException {
  private final List<ComponentId> path;

  DependencyCycle(List<ComponentId> path) {
    super(
        "registry.dependency-cycle",
        "These components depend on each other in a circle: %s. Take one dependency out."
            .formatted(path.stream().map(ComponentId::text).collect(Collectors.joining(" -> "))));
    this.path = List.copyOf(path);
  }

  /// Which they are.
  public List<ComponentId> path() {
    return path;
  }
}
