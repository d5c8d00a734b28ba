package dev.superstep.graph.internal.publish;

import dev.superstep.checkpoint.Entry;
import dev.superstep.event.Event;

/// Keeps the journal of a run. Safe for many threads.
public interface JournalSink {
  /// Adds an event about nothing saved.
  void add(Event event);

  /// An event as the journal keeps it.
  Entry entry(Event event);

  /// Saves what waits.
  void flush();
}
