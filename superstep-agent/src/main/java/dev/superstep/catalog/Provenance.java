package dev.superstep.catalog;

import java.util.List;
import java.util.Optional;

/// Where an entry of the catalogue comes from.
public sealed interface Provenance {
  /// As the snapshot has it.
  ///
  /// @param sources names of [Source] that its provider's entries are from
  record Snapshot(List<String> sources) implements Provenance {
    public Snapshot {
      sources = List.copyOf(sources);
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
