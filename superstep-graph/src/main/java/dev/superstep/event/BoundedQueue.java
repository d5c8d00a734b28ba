package dev.superstep.event;

import java.util.ArrayDeque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// A bounded queue of events for one reader, in order. Safe for many threads.
public final class BoundedQueue<E> {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition room = lock.newCondition();
  private final Condition news = lock.newCondition();
  private final ArrayDeque<E> events = new ArrayDeque<>();
  private final Backlog backlog;
  private final Loss<E> loss;
  private Predicate<? super E> filter;
  private boolean abandoned;
  private boolean ended;
  private long lost;
  private long untold;
  private int readBeforeLoss;
  private @Nullable E lastLost;
  private @Nullable RuntimeException failure;

  /// Makes the event that reports losses to a reader.
  @FunctionalInterface
  public interface Loss<E> {
    /// Returns the event that stands for those that were lost.
    ///
    /// @param last the last that was lost
    /// @param count how many were lost since the last report
    E of(E last, long count);
  }

  /// An empty queue for what the filter chooses.
  public BoundedQueue(Predicate<? super E> filter, Backlog backlog, Loss<E> loss) {
    this.filter = filter;
    this.backlog = backlog;
    this.loss = loss;
  }

  /// Adds an event, if it is wanted and somebody listens. A cancelled run still publishes its last
  /// events, so waiting for room is not interrupted.
  ///
  /// @throws BacklogFull if the queue is full and is to fail then
  public void put(E event) {
    lock.lock();
    try {
      if (!isWanted(event)) return;
      switch (backlog.overflow()) {
        case BLOCK -> {
          while (isFull() && !abandoned && !ended) room.awaitUninterruptibly();
        }
        case DROP_OLDEST -> {
          while (isFull()) lose(events.remove(), 0);
        }
        case DROP_NEWEST -> {
          if (isFull()) {
            lose(event, events.size());
            return;
          }
        }
        case FAIL -> {
          if (isFull()) throw new BacklogFull(backlog.capacity());
        }
      }
      // While this waited, the reader may have gone or come to want less.
      if (!isWanted(event)) return;
      events.add(event);
      news.signal();
    } finally {
      lock.unlock();
    }
  }

  private boolean isWanted(E event) {
    return !abandoned && !ended && filter.test(event);
  }

  private boolean isFull() {
    return events.size() >= backlog.capacity();
  }

  private void lose(E event, int before) {
    if (lastLost == null) readBeforeLoss = before;
    lastLost = event;
    lost++;
    untold++;
  }

  /// From now on, and of what waits, only this.
  public void only(Predicate<? super E> wanted) {
    lock.lock();
    try {
      var before = filter;
      filter = event -> before.test(event) && wanted.test(event);
      events.removeIf(event -> !wanted.test(event));
      readBeforeLoss = Math.min(readBeforeLoss, events.size());
      room.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// No more will come; what waits can still be read.
  public void end() {
    lock.lock();
    try {
      ended = true;
      room.signalAll();
      news.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// No more will come; who has read what waits gets this error.
  public void fail(RuntimeException error) {
    lock.lock();
    try {
      if (failure == null) failure = error;
      end();
    } finally {
      lock.unlock();
    }
  }

  /// Nobody listens any more.
  public void removeListener() {
    lock.lock();
    try {
      abandoned = true;
      events.clear();
      room.signalAll();
      news.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// The next, or null at the end.
  ///
  /// @throws InterruptedException if the reader is interrupted
  public @Nullable E take() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (events.isEmpty() && lastLost == null && !ended && !abandoned) news.await();
      if (abandoned) return null;
      var before = lastLost;
      if (before != null && readBeforeLoss-- == 0) {
        var told = loss.of(before, untold);
        lastLost = null;
        untold = 0;
        return told;
      }
      room.signal();
      var next = events.poll();
      if (next == null && failure != null) throw failure;
      return next;
    } finally {
      lock.unlock();
    }
  }

  /// The number of events lost so far.
  public long lost() {
    lock.lock();
    try {
      return lost;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public String toString() {
    return "BoundedQueue[" + backlog + "]";
  }
}
