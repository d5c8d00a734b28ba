package dev.superstep.retrieval;

/// Hears what happens in an index while it happens, on the thread that does it. An exception from a
/// listener is logged and changes nothing. Must be safe for many threads if the index is used by
/// many.
@FunctionalInterface
public interface RetrievalListener {
  /// Hears nothing.
  RetrievalListener NONE = _ -> {};

  /// The next event.
  void on(RetrievalEvent event);
}
