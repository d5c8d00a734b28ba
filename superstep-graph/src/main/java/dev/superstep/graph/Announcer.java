package dev.superstep.graph;

import dev.superstep.event.Event;
import dev.superstep.event.EventListener;
import dev.superstep.event.Origin;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/// The one place that publishes. Numbers the events of a run and gives them to the listeners in
/// that order. Builds nothing when nobody listens. Safe for many threads.
final class Announcer {
  private static final System.Logger LOG = System.getLogger("dev.superstep.graph");

  private final Origin template;
  private final java.time.InstantSource clock;
  private final List<EventListener> listeners;
  private final ReentrantLock order = new ReentrantLock();
  private long sequence;
  private int step;

  Announcer(String run, String graph, RunOptions options) {
    this.clock = options.clock();
    this.listeners = new CopyOnWriteArrayList<>(options.listeners());
    Optional<String> thread = options.checkpointer().flatMap(_ -> options.thread());
    this.template = new Origin(run, thread, graph, 0, java.time.Instant.EPOCH, 0, options.labels());
  }

  boolean isHeard() {
    return !listeners.isEmpty();
  }

  /// Says something of the superstep that was last spoken of.
  void say(Function<Origin, Event> fact) {
    say(step, fact);
  }

  void say(int step, Function<Origin, Event> fact) {
    if (listeners.isEmpty()) return;
    order.lock();
    try {
      this.step = step;
      sequence++;
      var t = template;
      var now = clock.instant();
      var origin = new Origin(t.run(), t.thread(), t.graph(), sequence, now, step, t.labels());
      var event = fact.apply(origin);
      for (var listener : listeners) tell(listener, event);
    } finally {
      order.unlock();
    }
  }

  private void tell(EventListener listener, Event event) {
    try {
      listener.on(event);
    } catch (RuntimeException | StackOverflowError | AssertionError | LinkageError e) {
      listeners.remove(listener);
      LOG.log(
          System.Logger.Level.WARNING,
          "A listener of run " + template.run() + " threw and was removed; the run goes on.",
          e);
    }
  }
}
