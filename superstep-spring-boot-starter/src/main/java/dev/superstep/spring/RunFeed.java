package dev.superstep.spring;

import dev.superstep.event.Event;
import dev.superstep.event.EventListener;
import dev.superstep.lock.Mutex;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;

/// The events of one run in this process for any number of clients, from its first one on. A client
/// that is slow, or comes back, reads on where it was, and the run waits for none. Safe for many
/// threads.
final class RunFeed implements EventListener {
  /// Of a longer run the oldest are forgotten.
  private static final int EVENTS_MAX = 20_000;

  private final Mutex lock = new Mutex();
  private final Condition changed = lock.newCondition();
  private final List<Numbered> events = new ArrayList<>();
  private String run = "";
  private long last;
  private boolean ended;

  /// An event with its number in the run, from 1.
  record Numbered(long number, ClientEvent event) {}

  @Override
  public void on(Event event) {
    var told = ClientEvents.of(event);
    if (told.isEmpty()) return;
    try (var _ = lock.hold()) {
      run = event.origin().run();
      add(told.get());
    }
  }

  private void add(ClientEvent event) {
    if (ended) return;
    events.add(new Numbered(++last, event));
    // Half at once, since each removal moves the others.
    if (events.size() > EVENTS_MAX) events.subList(0, EVENTS_MAX / 2).clear();
    ended = event instanceof ClientEvent.Ended;
    changed.signalAll();
  }

  /// Ends a run that could not tell its end.
  void fail(String code) {
    try (var _ = lock.hold()) {
      add(new ClientEvent.Ended(ClientEvent.How.FAILED, code));
    }
  }

  /// The id of the run; empty before its first event.
  String run() {
    try (var _ = lock.hold()) {
      return run;
    }
  }

  boolean hasEnded() {
    try (var _ = lock.hold()) {
      return ended;
    }
  }

  /// Returns whether nothing comes after this number.
  boolean isReadUpTo(long number) {
    try (var _ = lock.hold()) {
      return ended && number >= last;
    }
  }

  /// The next event, or empty if none came in this time.
  ///
  /// @param after the number of the one before, or 0
  Optional<Numbered> next(long after, Duration most) throws InterruptedException {
    long left = most.toNanos();
    try (var _ = lock.holdInterruptibly()) {
      while (last <= after) {
        if (ended || left <= 0) return Optional.empty();
        left = changed.awaitNanos(left);
      }
      return Optional.of(at(after + 1));
    }
  }

  private Numbered at(long number) {
    long place = number - events.getFirst().number();
    return events.get(Math.toIntExact(Math.max(place, 0)));
  }

  @Override
  public String toString() {
    return "RunFeed[" + run() + (hasEnded() ? ", ended]" : "]");
  }
}
