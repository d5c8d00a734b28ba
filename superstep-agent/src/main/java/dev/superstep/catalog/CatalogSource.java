package dev.superstep.catalog;

/// Where a catalogue comes from: a file, a service of one's own. It may block. The catalogue itself
/// never goes to the network.
@FunctionalInterface
public interface CatalogSource {
  /// A catalogue as it is now.
  ///
  /// @throws Exception if it cannot be had; who asked keeps what there was
  ModelCatalog load() throws Exception;
}
