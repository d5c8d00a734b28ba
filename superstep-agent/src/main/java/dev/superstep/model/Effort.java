package dev.superstep.model;

/// How much a model thinks before it answers. Vendors read it in their own way; one that cannot is
/// not told.
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
