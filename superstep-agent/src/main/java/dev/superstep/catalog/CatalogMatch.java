package dev.superstep.catalog;

/// An entry of the catalogue, and how a name led to it.
public record CatalogMatch(ModelEntry entry, Via via) {
  /// The kind of match between a name and an entry.
  public enum Via {
    /// It is a name of the entry.
    NAME,
    /// It has the form of the entry's names.
    PATTERN,
    /// Without the date at its end. The vendor may have changed the price with that version.
    UNDATED
  }
}
