package dev.superstep.catalog;

/// Whether a model has a capability, as far as the catalogue knows.
public enum Support {
  YES,
  NO,
  /// The catalogue does not say. Nothing is guessed.
  UNKNOWN
}
