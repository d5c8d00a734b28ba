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
  private volatile boolean isAloneNext;

  RequestQueue(int max) {
    this.max = max;
  }

  /// Adds the request and wakes a thread for it, or returns false because the queue is closed.
  boolean add(Request<?> request) {
    try (var _ = lock.hold()) {
      boolean isAdded = addSilently(request);
      added.signal();
      return isAdded;
    }
  }

  /// Adds the request for whoever has the writer's turn, or returns false because the queue is
  /// closed. Wakes no thread for it: [#wake] does.
  boolean addSilently(Request<?> request) {
    try (var _ = lock.hold()) {
      while (!isClosed && waiting.size() >= max) taken.awaitUninterruptibly();
      if (isClosed) return false;
      waiting.add(request);
      changed();
      return true;
    }
  }

  /// Wakes a thread for what waits.
  void wake() {
    try (var _ = lock.hold()) {
      added.signal();
    }
  }

  /// Puts requests back in front, even if the queue is closed.
  void restore(List<Request<?>> requests) {
    try (var _ = lock.hold()) {
      for (var request : requests.reversed()) waiting.addFirst(request);
      changed();
      added.signal();
    }
  }

  /// Takes the waiting requests, at most `most`, and waits if there are none. A request that must
  /// run alone is taken alone.
  ///
  /// @return empty when the queue is closed and served
  List<Request<?>> take(int most) {
    try (var _ = lock.hold()) {
      return awaitWaiting() ? takeWaiting(most) : List.of();
    }
  }

  /// Waits for a request.
  ///
  /// @return false when the queue is closed and served
  boolean awaitWaiting() {
    try (var _ = lock.hold()) {
      while (!isClosed && waiting.isEmpty()) added.awaitUninterruptibly();
      return !waiting.isEmpty();
    }
  }

  /// Takes the waiting requests like [#take], but never waits for one.
  List<Request<?>> takeWaiting(int most) {
    if (isEmpty) return List.of();
    try (var _ = lock.hold()) {
      var batch = new ArrayList<Request<?>>();
      while (batch.size() < most && fits(batch)) batch.add(waiting.remove());
      changed();
      taken.signalAll();
      return batch;
    }
  }

  private void changed() {
    var next = waiting.peek();
    isEmpty = next == null;
    isAloneNext = next != null && next.isAlone();
  }

  int size() {
    try (var _ = lock.hold()) {
      return waiting.size();
    }
  }

  /// Returns true if the queue was empty a moment ago; never waits.
  boolean isEmpty() {
    return isEmpty;
  }

  /// Returns true if a request that must run alone was next a moment ago; never waits.
  boolean isAloneNext() {
    return isAloneNext;
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
