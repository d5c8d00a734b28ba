package dev.superstep.model;

/// Whether the vendor should keep the stable prefix of a prompt, where it has to be told. A vendor
/// that keeps prompts by itself does so in any case.
public enum CacheHint {
  /// The vendor is not told.
  NONE,
  /// For some minutes.
  SHORT,
  /// For an hour, which costs more.
  LONG
}
