package dev.superstep.graph;

import dev.superstep.event.Event;
import java.util.ArrayDeque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Events on their way from a run to one reader: bounded, in order, nothing dropped while somebody
/// reads. Safe for many threads.
final class EventQueue {
  private static final int BACKLOG_MAX = 1024;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition room = lock.newCondition();
  private final Condition news = lock.newCondition();
  private final ArrayDeque<Event> events = new ArrayDeque<>();
  private boolean unheard;
  private boolean ended;

  /// Adds an event, waiting for room; returns at once when nobody listens any more. A cancelled run
  /// still tells the rest, so being interrupted does not lose the event.
  void put(Event event) {
    lock.lock();
    try {
      while (events.size() >= BACKLOG_MAX && !unheard) room.awaitUninterruptibly();
      if (unheard) return;
      events.add(event);
      news.signal();
    } finally {
      lock.unlock();
    }
  }

  /// No more events will come.
  void end() {
    lock.lock();
    try {
      ended = true;
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
      while (events.isEmpty() && !ended && !unheard) news.await();
      room.signal();
      return events.poll();
    } finally {
      lock.unlock();
    }
  }
}
