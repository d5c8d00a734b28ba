package dev.superstep.retrieval;

import dev.superstep.json.SuperstepException;
import java.time.Duration;

/// Publishes events to a listener whose exceptions change nothing. Safe for many threads if the
/// listener is.
record RetrievalEvents(RetrievalListener listener) {
  private static final System.Logger LOG = System.getLogger("dev.superstep.retrieval");

  void publish(RetrievalEvent event) {
    try {
      listener.on(event);
    } catch (RuntimeException e) {
      LOG.log(System.Logger.Level.WARNING, "A listener of " + event.kind() + " failed.", e);
    }
  }

  static Duration since(long nanoTime) {
    return Duration.ofNanos(System.nanoTime() - nanoTime);
  }

  /// The name of an error in an event: its code or class, because its message may contain texts.
  static String name(Throwable error) {
    return error instanceof SuperstepException known ? known.code() : error.getClass().getName();
  }
}
