package dev.superstep.server.internal.run;

import dev.superstep.json.Json;
import dev.superstep.server.internal.wire.RunFrame;
import dev.superstep.server.internal.wire.Trees;
import dev.superstep.service.LogEntry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import tools.jackson.databind.node.JsonNodeFactory;

/// The stream of a run that this process works on: collects its events, saves them in groups, and
/// hands them to the readers of this process once they are saved. Safe for many threads.
final class RunLog {
  /// So many events are kept for readers of this process; older ones they read from the store.
  private static final int KEPT_MAX = 2_000;

  /// So many events may wait to be saved before the run waits.
  private static final int WAITING_MAX = 1_000;

  private final RunQueue queue;
  private final Claim claim;
  private final Runnable lost;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final ArrayList<Json> waiting = new ArrayList<>();
  private final ArrayList<LogEntry> kept = new ArrayList<>();
  private boolean isSaving;
  private boolean isOver;
  private boolean isLost;
  private boolean isGivenBack;

  /// @param lost called when somebody else has taken the run over
  RunLog(RunQueue queue, Claim claim, Runnable lost) {
    this.queue = queue;
    this.claim = claim;
    this.lost = lost;
  }

  // --- The run ---

  /// Adds events, and waits if too many are not saved yet.
  void add(List<RunFrame> frames) throws InterruptedException {
    if (frames.isEmpty()) return;
    lock.lockInterruptibly();
    try {
      while (waiting.size() >= WAITING_MAX && !isLost && !isOver) changed.await();
      for (var frame : frames) waiting.add(entry(frame));
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  static Json entry(RunFrame frame) {
    var entry = JsonNodeFactory.instance.objectNode();
    entry.put("event", frame.event());
    entry.set("data", frame.data());
    return Trees.json(entry, "event");
  }

  /// Saves what is added until the end of the run. For a thread of its own.
  void saveAll() throws InterruptedException {
    while (true) {
      var some = next();
      if (some.isEmpty()) return;
      saved(some, queue.append(claim, some));
    }
  }

  private List<Json> next() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (waiting.isEmpty() && !isOver && !isLost) changed.await();
      if (isOver || isLost) return List.of();
      isSaving = true;
      var some = List.copyOf(waiting);
      waiting.clear();
      return some;
    } finally {
      lock.unlock();
    }
  }

  private void saved(List<Json> some, Optional<Long> last) {
    lock.lock();
    try {
      isSaving = false;
      if (last.isEmpty()) isLost = true;
      else keep(some, last.get());
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    if (last.isEmpty()) lost.run();
  }

  private void keep(List<Json> some, long last) {
    long offset = last - some.size();
    for (var one : some) kept.add(new LogEntry(++offset, one));
    int over = kept.size() - KEPT_MAX;
    if (over > 0) kept.subList(0, over).clear();
  }

  /// Ends the collection: waits for what is being saved, and takes what is still to be saved.
  List<Json> takeRest() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (isSaving) changed.await();
      var rest = List.copyOf(waiting);
      waiting.clear();
      return rest;
    } finally {
      lock.unlock();
    }
  }

  /// Notes that the end of the run is saved.
  ///
  /// @param rest what was saved with it
  /// @param last the offset of the last of it; empty if somebody else holds the run
  void end(List<Json> rest, Optional<Long> last) {
    lock.lock();
    try {
      last.ifPresent(offset -> keep(rest, offset));
      if (last.isEmpty()) isLost = true;
      isOver = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  // --- Readers ---

  /// The events after an offset, if this process has them.
  ///
  /// @return empty if they are only in the store
  Optional<List<LogEntry>> after(long offset) {
    lock.lock();
    try {
      if (kept.isEmpty() || kept.getFirst().offset() > offset + 1) return Optional.empty();
      int from = (int) Math.min(kept.size(), offset + 1 - kept.getFirst().offset());
      return Optional.of(List.copyOf(kept.subList(from, kept.size())));
    } finally {
      lock.unlock();
    }
  }

  /// Waits until there are events after an offset, or the run has ended or was taken over.
  ///
  /// @return false if the time was over first
  boolean await(long offset, Duration most) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      long left = most.toNanos();
      while (!isOver && !isLost && (kept.isEmpty() || kept.getLast().offset() <= offset)) {
        if (left <= 0) return false;
        left = changed.awaitNanos(left);
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  /// Waits until nothing comes any more from this process.
  void awaitOver() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (!isOver && !isLost) changed.await();
    } finally {
      lock.unlock();
    }
  }

  /// Returns whether nothing comes any more from this process: the run has ended, or somebody else
  /// has taken it over.
  boolean isOver() {
    lock.lock();
    try {
      return isOver || isLost;
    } finally {
      lock.unlock();
    }
  }

  /// Returns whether the run has ended here, so that nothing comes any more from anybody.
  boolean isEnded() {
    lock.lock();
    try {
      return isOver && !isLost && !isGivenBack;
    } finally {
      lock.unlock();
    }
  }

  /// Notes that this process cannot go on with the run.
  void abandon() {
    lock.lock();
    try {
      isSaving = false;
      isLost = true;
      waiting.clear();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// Notes that another process goes on with the run.
  void giveBack() {
    lock.lock();
    try {
      isOver = true;
      isGivenBack = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
