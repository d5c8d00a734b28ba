package dev.superstep.documents.ingestion;

/// Hears what an ingestion does, while it does it and on its thread. An exception from a listener
/// is logged and changes nothing.
@FunctionalInterface
public interface IngestionListener {
  /// Hears nothing.
  IngestionListener NONE = _ -> {};

  /// The next event.
  void on(IngestionEvent event);
}
