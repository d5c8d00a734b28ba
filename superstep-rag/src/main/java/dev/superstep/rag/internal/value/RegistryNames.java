package dev.superstep.rag.internal.value;

import dev.superstep.language.check.Names;
import dev.superstep.language.rag.Capability;
import dev.superstep.rag.component.RagKind;
import dev.superstep.registry.Registry;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/// The names of a registry, for the checks of sources. An alias is a name, too. Immutable: what is
/// registered later is not seen.
public final class RegistryNames implements Names {
  private final java.util.Map<String, Set<String>> byKind = new java.util.HashMap<>();

  public RegistryNames(Registry registry) {
    var snapshot = registry.snapshot();
    for (var component : snapshot.components()) add(component.id());
    for (var alias : snapshot.aliases()) add(alias.alias());
  }

  private void add(dev.superstep.registry.ComponentId id) {
    byKind.computeIfAbsent(id.kind(), _ -> new HashSet<>()).add(id.local());
  }

  @Override
  public Optional<Set<String>> registered(Capability kind) {
    var names = new HashSet<String>();
    for (var each : RagKind.of(kind)) names.addAll(byKind.getOrDefault(each.name(), Set.of()));
    if (kind == Capability.TYPES) names.add(BoundTypes.FAILURE);
    return Optional.of(names);
  }
}
