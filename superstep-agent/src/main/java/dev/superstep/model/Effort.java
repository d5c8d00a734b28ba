package dev.superstep.model;

/// The amount of thinking before an answer. Vendors read it in their own way: a model gets the
/// level of its own that is nearest, and one that cannot think is not told.
public enum Effort {
  /// None, where the vendor allows it; as little as it allows elsewhere.
  NONE,
  /// As little as the vendor allows.
  MINIMAL,
  /// A little.
  LOW,
  /// Some.
  MEDIUM,
  /// Much.
  HIGH,
  /// More than much, for work that takes long.
  XHIGH,
  /// All that the vendor allows.
  MAX
}
