package dev.superstep.mcp.internal.session;

import dev.superstep.mcp.internal.transport.RequestFailed;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// A request that waits for its answer. Safe for many threads; one of them waits.
final class PendingRequest {
  private static final int WAITING_MAX = 64;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final ArrayDeque<Event> progress = new ArrayDeque<>();
  private final String method;
  private @Nullable Event end;

  PendingRequest(String method) {
    this.method = method;
  }

  /// Something that a request hears.
  sealed interface Event {
    record Progress(String text) implements Event {}

    record Answer(JsonNode result) implements Event {}

    record Failure(int code, String message, String data) implements Event {}

    record Lost(RequestFailed.Why why) implements Event {}
  }

  String method() {
    return method;
  }

  /// Tells it of progress; of that which nobody takes in time, the oldest is dropped.
  void tell(Event.Progress event) {
    lock.lock();
    try {
      if (progress.size() == WAITING_MAX) progress.removeFirst();
      progress.addLast(event);
      changed.signal();
    } finally {
      lock.unlock();
    }
  }

  /// Ends it; only the first end counts.
  void end(Event event) {
    lock.lock();
    try {
      if (end == null) end = event;
      changed.signal();
    } finally {
      lock.unlock();
    }
  }

  /// The next event, or null if the time is over.
  ///
  /// @param deadline by the clock of [System#nanoTime]
  @Nullable Event await(long deadline) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (true) {
        var next = progress.pollFirst();
        if (next != null) return next;
        if (end != null) return end;
        long left = deadline - System.nanoTime();
        if (left <= 0) return null;
        long _ = changed.awaitNanos(Math.min(left, TimeUnit.SECONDS.toNanos(60)));
      }
    } finally {
      lock.unlock();
    }
  }
}
