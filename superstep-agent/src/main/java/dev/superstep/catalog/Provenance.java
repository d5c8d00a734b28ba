package dev.superstep.catalog;

import dev.superstep.model.Capability;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Where an entry of the catalogue comes from.
public sealed interface Provenance {
  /// As the snapshot has it.
  ///
  /// @param sources names of [Source] that its provider's entries are from
  /// @param facts which of them state a fact: `names`, `status`, `pricing`, `contextWindow`,
  ///   `maxOutputTokens`, or the name of a [dev.superstep.model.Capability]
  record Snapshot(List<String> sources, Map<String, List<String>> facts) implements Provenance {
    public Snapshot {
      sources = List.copyOf(sources);
      facts = Map.copyOf(facts);
    }

    /// An entry whose facts are not told apart.
    public Snapshot(List<String> sources) {
      this(sources, Map.of());
    }

    /// The sources that state a capability, in the order of the catalogue; none if it is unknown.
    public List<String> of(Capability capability) {
      return facts.getOrDefault(capability.name(), List.of());
    }
  }

  /// A user's override.
  ///
  /// @param layer the name that the user gave to the overrides
  /// @param parts what it says: `pricing`, `status`, `contextWindow`, `maxOutputTokens`,
  ///   `capabilities`, `names`
  /// @param beneath what the entry was before; empty if there was none
  record Overridden(String layer, List<String> parts, Optional<Provenance> beneath)
      implements Provenance {
    public Overridden {
      parts = List.copyOf(parts);
    }
  }
}
