package dev.superstep.model;

/// The amount of thinking before an answer. Vendors read it in their own way; a model that cannot
/// think is not told.
public enum Effort {
  /// As little as the vendor allows.
  MINIMAL,
  /// A little.
  LOW,
  /// Some.
  MEDIUM,
  /// Much.
  HIGH
}
