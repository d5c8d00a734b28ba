package dev.superstep.retrieval;

import dev.superstep.json.SuperstepException;
import java.time.Duration;

/// Tells a listener, without effect on what it is told of. Safe for many threads if the listener
/// is.
record RetrievalEvents(RetrievalListener listener) {
  private static final System.Logger LOG = System.getLogger("dev.superstep.retrieval");

  void tell(RetrievalEvent event) {
    try {
      listener.on(event);
    } catch (RuntimeException e) {
      LOG.log(System.Logger.Level.WARNING, "A listener of " + event.kind() + " failed.", e);
    }
  }

  static Duration since(long nanoTime) {
    return Duration.ofNanos(System.nanoTime() - nanoTime);
  }

  /// What an event may tell of an error: its code or class, as a message may hold texts.
  static String name(Throwable error) {
    return error instanceof SuperstepException known ? known.code() : error.getClass().getName();
  }
}
