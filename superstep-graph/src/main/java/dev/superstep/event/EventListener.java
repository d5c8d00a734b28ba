package dev.superstep.event;

/// Hears the events of a run, one at a time and in order, on the thread where they happen, so it
/// must be quick. A listener that throws is removed and does not harm the run.
@FunctionalInterface
public interface EventListener {
  /// The next event.
  void on(Event event);

  /// Returns whether the listener uses events at the moment. While no listener of a run does, no
  /// events are built, and the run is as fast as without listeners. May be called at any time, on
  /// any thread.
  default boolean isListening() {
    return true;
  }
}
