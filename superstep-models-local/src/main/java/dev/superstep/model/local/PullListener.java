package dev.superstep.model.local;

/// Hears how a pull goes on. Called by the pulling thread.
public interface PullListener {
  /// A source is tried now; those before it failed.
  default void onSource(String source) {}

  /// Reports how much of the weights has arrived.
  void onProgress(long bytes, long total);
}
