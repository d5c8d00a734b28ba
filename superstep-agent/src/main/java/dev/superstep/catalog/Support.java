package dev.superstep.catalog;

/// The support of a model for a capability, as far as the catalogue knows.
public enum Support {
  YES,
  NO,
  /// The catalogue does not say. Nothing is guessed.
  UNKNOWN
}
