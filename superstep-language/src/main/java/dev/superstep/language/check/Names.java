package dev.superstep.language.check;

import dev.superstep.language.rag.Capability;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The things that sources may refer to by name, as far as they are known. Implementations are safe
/// for many threads.
@FunctionalInterface
public interface Names {
  /// The registered names of a kind; empty if nothing is known about the kind, so that references
  /// are checked for their form only.
  Optional<Set<String>> registered(Capability kind);

  /// Nothing is known: for a source that stands alone.
  static Names unknown() {
    return _ -> Optional.empty();
  }

  /// These names are registered; of a kind that is absent, none is.
  static Names of(Map<Capability, Set<String>> names) {
    var copy = Map.copyOf(names);
    return kind -> Optional.of(copy.getOrDefault(kind, Set.of()));
  }
}
