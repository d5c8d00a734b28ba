package dev.superstep.catalog;

import java.util.List;

/// A vendor and its models. Immutable.
///
/// @param id as in a `ModelRef`, or as the source has it
/// @param hosts domains where its API answers, by which models of compatible servers are found
/// @param entries in order: of those that a name fits, the first counts
public record CatalogProvider(
    String id, List<String> sources, List<String> hosts, List<ModelEntry> entries) {
  public CatalogProvider {
    sources = List.copyOf(sources);
    hosts = List.copyOf(hosts);
    entries = List.copyOf(entries);
  }
}
