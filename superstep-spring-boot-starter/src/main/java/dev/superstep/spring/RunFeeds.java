package dev.superstep.spring;

import dev.superstep.lock.Mutex;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.concurrent.locks.Condition;

/// The newest run of each thread in this process. Those that are at work are kept, and of those
/// that have ended the newest, for clients that come back. Safe for many threads.
final class RunFeeds {
  private static final int ENDED_MAX = 500;

  private final Mutex lock = new Mutex();
  private final Condition added = lock.newCondition();
  private final LinkedHashMap<String, RunFeed> byThread = new LinkedHashMap<>();

  /// Makes this the feed of the thread, once its run has begun.
  void put(String thread, RunFeed feed) {
    try (var _ = lock.hold()) {
      byThread.remove(thread);
      byThread.put(thread, feed);
      added.signalAll();
      if (byThread.size() > ENDED_MAX) forgetEnded();
    }
  }

  private void forgetEnded() {
    var oldest = byThread.values().iterator();
    while (oldest.hasNext() && byThread.size() > ENDED_MAX) {
      if (oldest.next().hasEnded()) oldest.remove();
    }
  }

  Optional<RunFeed> find(String thread) {
    try (var _ = lock.hold()) {
      return Optional.ofNullable(byThread.get(thread));
    }
  }

  /// Waits for a run on a thread of which there is none yet; empty if none came in this time.
  Optional<RunFeed> await(String thread, Duration most) throws InterruptedException {
    long left = most.toNanos();
    try (var _ = lock.holdInterruptibly()) {
      while (!byThread.containsKey(thread) && left > 0) left = added.awaitNanos(left);
      return Optional.ofNullable(byThread.get(thread));
    }
  }

  @Override
  public String toString() {
    try (var _ = lock.hold()) {
      return "RunFeeds[" + byThread.size() + "]";
    }
  }
}
