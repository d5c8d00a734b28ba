package dev.superstep.event;

/// Hears the events of a run, one at a time and in order, on the thread where they happen, so it
/// must be quick. A listener that throws is removed and does not harm the run.
@FunctionalInterface
public interface EventListener {
  /// The next event.
  void on(Event event);

  /// Whether it does anything with events just now. While no listener of a run does, none are made,
  /// which makes a run as quick as if nobody could listen. May be asked at any time, on any thread.
  default boolean isListening() {
    return true;
  }
}
