package dev.superstep.spring;

import dev.superstep.lock.Mutex;
import java.util.LinkedHashMap;
import java.util.Optional;

/// The newest run of each thread in this process. Those that are at work are kept, and of those
/// that have ended the newest, for clients that come back. Safe for many threads.
final class RunFeeds {
  private static final int ENDED_MAX = 500;

  private final Mutex lock = new Mutex();
  private final LinkedHashMap<String, RunFeed> byThread = new LinkedHashMap<>();

  /// Makes this the feed of the thread, once its run has begun.
  void put(String thread, RunFeed feed) {
    try (var _ = lock.hold()) {
      byThread.remove(thread);
      byThread.put(thread, feed);
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
}
