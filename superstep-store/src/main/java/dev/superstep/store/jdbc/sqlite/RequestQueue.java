package dev.superstep.store.jdbc.sqlite;

import dev.superstep.lock.Mutex;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;

/// Requests that wait for a thread, first come first served. When it is full, callers wait. Safe
/// for many threads.
///
/// No queue of the JDK can be closed: an offer that races the close must either be refused or be
/// served, never be forgotten.
final class RequestQueue {
  private final int max;
  private final ArrayDeque<Request<?>> waiting = new ArrayDeque<>();
  private final Mutex lock = new Mutex();
  private final Condition added = lock.newCondition();
  private final Condition taken = lock.newCondition();
  private volatile boolean isClosed;
  private volatile boolean isEmpty = true;

  RequestQueue(int max) {
    this.max = max;
  }

  /// Adds the request, or returns false because the queue is closed.
  boolean add(Request<?> request) {
    try (var _ = lock.hold()) {
      while (!isClosed && waiting.size() == max) taken.awaitUninterruptibly();
      if (isClosed) return false;
      waiting.add(request);
      isEmpty = false;
      added.signal();
      return true;
    }
  }

  /// Takes the waiting requests, at most `most`, and waits if there are none. A request that must
  /// run alone is taken alone.
  ///
  /// @return empty when the queue is closed and served
  List<Request<?>> take(int most) {
    try (var _ = lock.hold()) {
      while (!isClosed && waiting.isEmpty()) added.awaitUninterruptibly();
      var batch = new ArrayList<Request<?>>();
      while (batch.size() < most && fits(batch)) batch.add(waiting.remove());
      isEmpty = waiting.isEmpty();
      taken.signalAll();
      return batch;
    }
  }

  /// Returns true if the queue was empty a moment ago; never waits.
  boolean isEmpty() {
    return isEmpty;
  }

  boolean isClosed() {
    return isClosed;
  }

  private boolean fits(List<Request<?>> batch) {
    var next = waiting.peek();
    if (next == null) return false;
    return batch.isEmpty() || !(next.isAlone() || batch.getLast().isAlone());
  }

  /// Refuses what comes from now on.
  void close() {
    try (var _ = lock.hold()) {
      isClosed = true;
      added.signalAll();
      taken.signalAll();
    }
  }
}
