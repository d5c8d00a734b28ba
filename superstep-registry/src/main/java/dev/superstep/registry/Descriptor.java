package dev.superstep.registry;

import java.util.List;

/// The description of a component, without its object. Immutable.
///
/// @param description for people, or empty
/// @param dependencies the ids or aliases of the components that it needs
/// @param perRun whether a factory makes a new object for each caller
public record Descriptor(
    ComponentId id,
    String description,
    List<String> tags,
    List<ComponentId> dependencies,
    boolean perRun) {
  public Descriptor {
    tags = List.copyOf(tags);
    dependencies = List.copyOf(dependencies);
  }
}
