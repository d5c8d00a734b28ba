package dev.superstep.event;

/// Hears the events of a run, one at a time and in order, on the thread where they happen, so it
/// must be quick. A listener that throws is removed and does not harm the run.
@FunctionalInterface
public interface EventListener {
  /// The next event.
  void on(Event event);
}
