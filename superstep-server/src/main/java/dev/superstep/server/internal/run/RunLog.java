package dev.superstep.server.internal.run;

import dev.superstep.json.Json;
import dev.superstep.server.internal.documents.Claim;
import dev.superstep.server.internal.queue.LogBatch;
import dev.superstep.server.internal.queue.RunQueue;
import dev.superstep.service.LogEntry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// The stream of a run that this process works on: collects its events, saves them in groups, and
/// hands them to the readers of this process once they are saved. Safe for many threads.
final class RunLog {
  /// So many events are kept for readers of this process; older ones they read from the store.
  private static final int KEPT_MAX = 2_000;

  /// So many events may wait to be saved before the run waits.
  private static final int WAITING_MAX = 1_000;

  /// So many characters have those that are kept, and those that wait, at most; but for the last
  /// event, which may be larger.
  private static final long CHARACTERS_MAX = 1_000_000;

  private final RunQueue queue;
  private final Claim claim;
  private final EventQuota quota;
  private final Runnable lost;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final ArrayList<Json> frames = new ArrayList<>();
  private final ArrayList<Json> events = new ArrayList<>();
  private final ArrayList<LogEntry> kept = new ArrayList<>();
  private long waitingCharacters;
  private long keptCharacters;
  private boolean isSaving;
  private boolean isOver;
  private boolean isLost;
  private boolean isGivenBack;

  /// @param lost called when somebody else has taken the run over
  RunLog(RunQueue queue, Claim claim, EventQuota quota, Runnable lost) {
    this.quota = quota;
    this.queue = queue;
    this.claim = claim;
    this.lost = lost;
  }

  // --- The run ---

  /// Counts what earlier workers have saved of the stream. Before anything is added.
  void countSaved() {
    if (claim.attempt() > 1) queue.eachSaved(claim, quota::count);
  }

  /// Adds events, and waits if too many are not saved yet.
  void add(LogBatch entries) throws InterruptedException {
    if (entries.isEmpty()) return;
    lock.lockInterruptibly();
    try {
      while (isFull() && !isLost && !isOver) changed.await();
      // What follows events that were not saved is not saved either: a stream has no holes.
      if (isLost) return;
      var within = quota.within(entries);
      frames.addAll(within.frames());
      events.addAll(within.events());
      for (var entry : within.frames()) waitingCharacters += size(entry);
      for (var entry : within.events()) waitingCharacters += size(entry);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private boolean isFull() {
    return waiting() >= WAITING_MAX || waitingCharacters >= CHARACTERS_MAX;
  }

  /// The characters of an entry.
  static int size(Json entry) {
    return entry.text().length();
  }

  /// Saves what is added until the end of the run. For a thread of its own.
  void saveAll() throws InterruptedException {
    while (true) {
      var some = next();
      if (some.isEmpty()) return;
      saved(some.frames(), queue.append(claim, some));
    }
  }

  private LogBatch next() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (waiting() == 0 && !isOver && !isLost) changed.await();
      if (isOver || isLost) return LogBatch.NONE;
      isSaving = true;
      return taken();
    } finally {
      lock.unlock();
    }
  }

  private int waiting() {
    return frames.size() + events.size();
  }

  private LogBatch taken() {
    var some = new LogBatch(frames, events);
    frames.clear();
    events.clear();
    waitingCharacters = 0;
    return some;
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
    for (var one : some) {
      kept.add(new LogEntry(++offset, one));
      keptCharacters += size(one);
    }
    int over = 0;
    while (kept.size() - over > 1 && isTooMuch(kept.size() - over)) {
      keptCharacters -= size(kept.get(over).value());
      over++;
    }
    kept.subList(0, over).clear();
  }

  private boolean isTooMuch(int events) {
    return events > KEPT_MAX || keptCharacters > CHARACTERS_MAX;
  }

  /// Ends the collection: waits for what is being saved, and takes what is still to be saved.
  LogBatch takeRest() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (isSaving) changed.await();
      return taken();
    } finally {
      lock.unlock();
    }
  }

  /// Returns whether events could not be saved, or somebody else has taken the run over.
  boolean isLost() {
    lock.lock();
    try {
      return isLost;
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
      var _ = taken();
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
