package dev.superstep.registry;

import java.util.List;

/// What is told of a component, without the component. Immutable.
///
/// @param description for people, or empty
/// @param dependencies what it needs; may name aliases
/// @param perRun whether it is made anew for each who asks
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
