package dev.superstep.registry;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.TreeMap;

/// The references inside a registry: from aliases to components, and from components to their
/// dependencies. For one thread.
final class ComponentLinks {
  private final String registry;
  private final Map<ComponentId, ComponentId> aliases;
  private final Map<ComponentId, List<ComponentId>> needs;

  ComponentLinks(
      String registry,
      Map<ComponentId, ComponentId> aliases,
      Map<ComponentId, List<ComponentId>> needs) {
    this.registry = registry;
    this.aliases = aliases;
    this.needs = needs;
  }

  static ComponentLinks of(RegistrySnapshot snapshot) {
    var aliases = new TreeMap<ComponentId, ComponentId>();
    snapshot.aliases().forEach(alias -> aliases.put(alias.alias(), alias.target()));
    var needs = new TreeMap<ComponentId, List<ComponentId>>();
    snapshot.components().forEach(each -> needs.put(each.id(), each.dependencies()));
    return new ComponentLinks(snapshot.registry(), aliases, needs);
  }

  boolean has(ComponentId id) {
    return needs.containsKey(id);
  }

  /// Follows aliases to the id of a component.
  ///
  /// @throws AliasLoop if they lead back to themselves
  ComponentId resolved(ComponentId id) {
    return hops(aliases, id).getLast();
  }

  /// An id and what it leads to, alias by alias.
  ///
  /// @throws AliasLoop if that never ends
  static List<ComponentId> hops(Map<ComponentId, ComponentId> aliases, ComponentId id) {
    SequencedSet<ComponentId> hops = new LinkedHashSet<>();
    hops.add(id);
    var next = aliases.get(id);
    while (next != null) {
      if (!hops.add(next)) throw new AliasLoop(id);
      next = aliases.get(next);
    }
    return List.copyOf(hops);
  }

  /// Lists the direct and indirect dependencies of a component, each after its own dependencies.
  ///
  /// @throws MissingDependency if one is not registered
  /// @throws DependencyCycle if a component depends on itself
  List<ComponentId> order(ComponentId id) {
    if (!has(id)) throw unknown(id);
    var done = new LinkedHashSet<ComponentId>();
    visit(id, new LinkedHashSet<>(), done);
    done.remove(id);
    return List.copyOf(done);
  }

  private void visit(
      ComponentId id, SequencedSet<ComponentId> path, SequencedSet<ComponentId> done) {
    if (done.contains(id)) return;
    if (!path.add(id)) {
      var cycle = new ArrayList<>(path);
      cycle.add(id);
      throw new DependencyCycle(cycle.subList(cycle.indexOf(id), cycle.size()));
    }
    for (var needed : needs.getOrDefault(id, List.of())) {
      var target = resolved(needed);
      if (!has(target)) throw new MissingDependency(id, needed);
      visit(target, path, done);
    }
    path.remove(id);
    done.add(id);
  }

  UnknownComponent unknown(ComponentId id) {
    var names = new ArrayList<>(needs.keySet());
    names.addAll(aliases.keySet());
    Optional<ComponentId> nearest = SimilarIds.nearest(id, names);
    return new UnknownComponent(registry, id, nearest);
  }
}
