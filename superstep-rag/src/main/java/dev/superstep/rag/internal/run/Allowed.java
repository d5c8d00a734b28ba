package dev.superstep.rag.internal.run;

import dev.superstep.language.blueprint.Blueprint;
import dev.superstep.language.rag.Capability;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The names that a graph may use: those of its host, of the graphs around it, and its own, each of
/// which can only narrow. A kind that nobody narrowed is open. Immutable.
public record Allowed(Map<Capability, Set<String>> names) {
  public Allowed {
    names = Map.copyOf(names);
  }

  /// The names that a graph inside may use.
  public Allowed within(Blueprint graph) {
    var narrowed = new EnumMap<Capability, Set<String>>(Capability.class);
    narrowed.putAll(names);
    graph.allow().forEach((kind, own) -> narrowed.merge(kind, Set.copyOf(own), Allowed::both));
    return new Allowed(narrowed);
  }

  public boolean allows(Capability kind, String name) {
    var only = names.get(kind);
    return only == null || only.contains(name);
  }

  /// The only names that are allowed; empty if all are.
  public Optional<Set<String>> only(Capability kind) {
    return Optional.ofNullable(names.get(kind));
  }

  private static Set<String> both(Set<String> some, Set<String> others) {
    var both = new HashSet<>(some);
    both.retainAll(others);
    return Set.copyOf(both);
  }
}
