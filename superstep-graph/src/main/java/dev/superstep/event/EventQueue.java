package dev.superstep.event;

import java.util.ArrayDeque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Events on their way to one reader: bounded and in order. Safe for many threads.
final class EventQueue {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition room = lock.newCondition();
  private final Condition news = lock.newCondition();
  private final ArrayDeque<Event> events = new ArrayDeque<>();
  private final Backlog backlog;
  private EventFilter filter;
  private boolean unheard;
  private boolean ended;
  private long lost;
  private long untold;
  private @Nullable Event lastLost;

  EventQueue(EventFilter filter, Backlog backlog) {
    this.filter = filter;
    this.backlog = backlog;
  }

  /// Adds an event, if it is wanted and somebody listens. A cancelled run still tells the rest, so
  /// waiting for room is not interrupted.
  void put(Event event) {
    lock.lock();
    try {
      if (!isWanted(event)) return;
      if (backlog.overflow() == Backlog.Overflow.DROP_OLDEST) dropOldest();
      while (isFull() && !unheard && !ended) room.awaitUninterruptibly();
      // While this waited, the reader may have gone or come to want less.
      if (!isWanted(event)) return;
      events.add(event);
      news.signal();
    } finally {
      lock.unlock();
    }
  }

  private boolean isWanted(Event event) {
    return !unheard && !ended && filter.matches(event);
  }

  private boolean isFull() {
    return events.size() >= backlog.capacity();
  }

  private void dropOldest() {
    while (isFull()) {
      lastLost = events.poll();
      lost++;
      untold++;
    }
  }

  /// From now on, and of what waits, only this.
  void only(EventFilter wanted) {
    lock.lock();
    try {
      filter = filter.and(wanted);
      events.removeIf(event -> !wanted.matches(event));
      room.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// No more events will come; what waits can still be read.
  void end() {
    lock.lock();
    try {
      ended = true;
      room.signalAll();
      news.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// Nobody listens any more.
  void unhear() {
    lock.lock();
    try {
      unheard = true;
      events.clear();
      room.signalAll();
      news.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// The next event, or null at the end.
  ///
  /// @throws InterruptedException if the reader is interrupted
  @Nullable Event take() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (events.isEmpty() && lastLost == null && !ended && !unheard) news.await();
      if (unheard) return null;
      var before = lastLost;
      if (before != null) {
        var told = new Event.EventsDropped(before.origin(), untold);
        lastLost = null;
        untold = 0;
        return told;
      }
      room.signal();
      return events.poll();
    } finally {
      lock.unlock();
    }
  }

  /// How many events were lost so far.
  long lost() {
    lock.lock();
    try {
      return lost;
    } finally {
      lock.unlock();
    }
  }
}
