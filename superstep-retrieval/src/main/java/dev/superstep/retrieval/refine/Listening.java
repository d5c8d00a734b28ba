package dev.superstep.retrieval.refine;

import dev.superstep.retrieval.RetrievalEvent;
import dev.superstep.retrieval.RetrievalListener;

/// Publishes events to a listener whose exceptions change nothing.
final class Listening {
  private static final System.Logger LOG = System.getLogger("dev.superstep.retrieval");

  private Listening() {}

  static void publish(RetrievalListener listener, RetrievalEvent event) {
    try {
      listener.on(event);
    } catch (RuntimeException e) {
      LOG.log(System.Logger.Level.WARNING, "A listener of " + event.kind() + " failed.", e);
    }
  }
}
