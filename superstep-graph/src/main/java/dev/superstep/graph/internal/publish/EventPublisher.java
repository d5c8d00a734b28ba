package dev.superstep.graph.internal.publish;

import dev.superstep.event.Detail;
import dev.superstep.event.Event;
import dev.superstep.event.Origin;
import dev.superstep.graph.internal.kernel.EngineLog;
import dev.superstep.graph.internal.kernel.EventSink;
import dev.superstep.graph.internal.kernel.FatalErrors;
import dev.superstep.graph.internal.kernel.RunSettings;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The only class that publishes events. Numbers the events of a run and gives them to the
/// listeners in that order. Builds nothing when nobody listens. Safe for many threads.
///
/// A subgraph has a publisher of its own, which numbers and publishes with that of its run.
public final class EventPublisher implements EventSink {
  private final Origin template;
  private final Hub hub;
  private volatile int step;

  /// The state that all publishers of a run share.
  private static final class Hub {
    private final InstantSource clock;
    private final List<RunSettings.Listener> listeners;
    private final ReentrantLock order = new ReentrantLock();
    private long sequence;
    private @Nullable JournalSink journal;

    Hub(InstantSource clock, List<RunSettings.Listener> listeners) {
      this.clock = clock;
      this.listeners = listeners.isEmpty() ? listeners : new CopyOnWriteArrayList<>(listeners);
    }
  }

  public EventPublisher(String run, String graph, RunSettings options) {
    Optional<String> thread = options.checkpointer().flatMap(_ -> options.thread());
    this.template =
        new Origin(run, thread, graph, List.of(), 0, Instant.EPOCH, 0, options.labels(), false);
    this.hub = new Hub(options.clock(), options.listeners());
  }

  private EventPublisher(Origin template, Hub hub) {
    this.template = template;
    this.hub = hub;
  }

  /// For the graph that runs as this node.
  public EventPublisher within(String node, String graph) {
    var path = new ArrayList<>(template.path());
    path.add(node);
    var t = template;
    return new EventPublisher(
        new Origin(t.run(), t.thread(), graph, List.copyOf(path), 0, t.at(), 0, t.labels(), false),
        hub);
  }

  public List<String> path() {
    return template.path();
  }

  /// Sets the journal that also receives events from now on.
  public void journalTo(JournalSink journal) {
    hub.journal = journal;
  }

  /// The sink of the run's journal, or null if there is none.
  public @Nullable JournalSink journal() {
    return hub.journal;
  }

  @Override
  public boolean hasListeners() {
    return hub.journal != null || isListenedTo();
  }

  private boolean isListenedTo() {
    if (hub.listeners.isEmpty()) return false;
    for (var hearing : hub.listeners) if (isListening(hearing)) return true;
    return false;
  }

  private boolean isListening(RunSettings.Listener hearing) {
    try {
      return hearing.listener().isListening();
    } catch (Throwable e) {
      FatalErrors.rethrow(e);
      remove(hearing, e);
      return false;
    }
  }

  @Override
  public boolean isWanted(Detail detail) {
    if (hub.listeners.isEmpty()) return false;
    for (var hearing : hub.listeners) {
      if (hearing.details().contains(detail) && isListening(hearing)) return true;
    }
    return false;
  }

  /// Sets the superstep of later events that name none.
  public void at(int now) {
    step = now;
  }

  /// Says something of the superstep that was last spoken of.
  public void publish(Function<Origin, Event> fact) {
    publish(step, fact);
  }

  /// Publishes an event about nothing saved. The caller checks whether somebody requested it,
  /// before it builds anything.
  @Override
  public void publish(@Nullable Detail detail, int now, Function<Origin, Event> fact) {
    var journal = hub.journal;
    if (journal != null && detail == null) journal.add(unnumbered(now, fact));
    publish(detail, now, fact, false);
  }

  /// As a journal keeps it, which numbers on its own.
  Event unnumbered(int now, Function<Origin, Event> fact) {
    return fact.apply(origin(0, now));
  }

  /// Calls the listeners.
  ///
  /// @param provisional whether the event is about something that is saved, but not safe yet
  void publish(
      @Nullable Detail detail, int now, Function<Origin, Event> fact, boolean provisional) {
    if (!isListenedTo()) return;
    hub.order.lock();
    try {
      step = now;
      var origin = origin(++hub.sequence, now);
      var event = fact.apply(provisional ? origin.asProvisional() : origin);
      for (var hearing : hub.listeners) {
        if (detail == null || hearing.details().contains(detail)) deliver(hearing, event);
      }
    } finally {
      hub.order.unlock();
    }
  }

  private Origin origin(long sequence, int now) {
    var t = template;
    var at = hub.clock.instant();
    return new Origin(
        t.run(), t.thread(), t.graph(), t.path(), sequence, at, now, t.labels(), false);
  }

  private void deliver(RunSettings.Listener hearing, Event event) {
    try {
      hearing.listener().on(event);
    } catch (Throwable e) {
      FatalErrors.rethrow(e);
      remove(hearing, e);
    }
  }

  private void remove(RunSettings.Listener hearing, Throwable why) {
    hub.listeners.remove(hearing);
    var what = "A listener of run " + template.run() + " threw and was removed; the run goes on.";
    EngineLog.warn(what, why);
  }
}
