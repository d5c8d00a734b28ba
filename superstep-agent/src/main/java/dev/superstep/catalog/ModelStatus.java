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

  /// Returns true if the vendor still serves the model.
  public boolean isServed() {
    return this != RETIRED;
  }
}
