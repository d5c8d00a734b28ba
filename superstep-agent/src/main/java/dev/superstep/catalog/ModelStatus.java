package dev.superstep.catalog;

/// Where a model is in its life.
public enum ModelStatus {
  STABLE,
  /// May change or go without notice.
  PREVIEW,
  /// Works, but is to be replaced.
  DEPRECATED,
  /// Does not answer any more.
  RETIRED;

  /// Whether the vendor still serves it.
  public boolean isServed() {
    return this != RETIRED;
  }
}
