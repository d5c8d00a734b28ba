package dev.superstep.model;

/// The time for which a vendor should cache the stable prefix of a prompt, where the vendor has to
/// be told. A vendor that caches prompts by itself does so in any case.
public enum CacheHint {
  /// No hint.
  NONE,
  /// For some minutes.
  SHORT,
  /// For an hour, which costs more.
  LONG
}
