package dev.superstep.test.kills;

import dev.superstep.checkpoint.AcquiredThread;
import dev.superstep.checkpoint.Answer;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.CheckpointerCapability;
import dev.superstep.checkpoint.Commit;
import dev.superstep.checkpoint.Entry;
import dev.superstep.checkpoint.FirstWrite;
import dev.superstep.checkpoint.ForwardingCheckpointer;
import dev.superstep.checkpoint.IdleThread;
import dev.superstep.checkpoint.Lease;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.StepRecord;
import dev.superstep.checkpoint.TaskRecord;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;

/// Says when the n-th write comes, so that the process can be killed there: before it is made,
/// while it is made, or after it. Notes what was saved, once it was. Safe for many threads.
public final class PointedCheckpointer extends ForwardingCheckpointer
    implements CheckpointerCapability.CombinedCalls {
  private static final Duration PAUSE = Duration.ofMillis(20);

  private final AtomicInteger left;
  private final When when;
  private final Notes notes;
  private final ReentrantReadWriteLock writes = new ReentrantReadWriteLock();

  /// Where around a write the process is killed.
  public enum When {
    BEFORE,
    DURING,
    AFTER,
    /// Before it, and the process goes on once it is let.
    WAITING
  }

  public PointedCheckpointer(Checkpointer store, int point, When when, Notes notes) {
    super(store);
    this.left = new AtomicInteger(point);
    this.when = when;
    this.notes = notes;
  }

  private <T> T at(Supplier<T> write) {
    boolean here = left.decrementAndGet() == 0;
    if (here && when == When.BEFORE) stand();
    if (here && when == When.DURING) tell();
    if (here && when == When.WAITING) waitToGoOn();
    var result = amongWrites(write);
    if (here && when == When.AFTER) stand();
    return result;
  }

  /// Stands where no write of this process is under way: who stops it in the midst of one keeps the
  /// lock of a SQLite file from everybody.
  private void waitToGoOn() {
    writes.writeLock().lock();
    try {
      tell();
      while (!notes.all().contains("go on")) LockSupport.parkNanos(PAUSE.toNanos());
    } finally {
      writes.writeLock().unlock();
    }
  }

  private <T> T amongWrites(Supplier<T> write) {
    writes.readLock().lock();
    try {
      return write.get();
    } finally {
      writes.readLock().unlock();
    }
  }

  private static void tell() {
    System.out.println("point");
    System.out.flush();
  }

  /// Until the process is killed.
  private static void stand() {
    tell();
    while (true) {
      try {
        new CountDownLatch(1).await();
      } catch (InterruptedException _) {
        // Nothing but the kill ends it.
      }
    }
  }

  @Override
  public Lease acquire(String thread, String owner, Duration time) {
    return at(() -> super.acquire(thread, owner, time));
  }

  @Override
  public AcquiredThread acquireThread(String thread, String owner, Duration time) {
    return at(() -> CombinedCalls.of(store()).acquireThread(thread, owner, time));
  }

  @Override
  public Optional<IdleThread> idleThread(String thread) {
    return CombinedCalls.of(store()).idleThread(thread);
  }

  @Override
  public Optional<Lease> acquireWith(
      IdleThread idle, String owner, Duration time, FirstWrite write) {
    return at(() -> CombinedCalls.of(store()).acquireWith(idle, owner, time, write));
  }

  @Override
  public boolean renew(Lease lease, Duration time) {
    return amongWrites(() -> super.renew(lease, time));
  }

  @Override
  public void release(Lease lease) {
    at(() -> {
      super.release(lease);
      return true;
    });
  }

  @Override
  public boolean commit(Lease lease, Commit commit) {
    return at(() -> folded(commit, super.commit(lease, commit)));
  }

  @Override
  public boolean commitLast(Lease lease, Commit commit) {
    return at(() -> folded(commit, CombinedCalls.of(store()).commitLast(lease, commit)));
  }

  private boolean folded(Commit commit, boolean done) {
    if (done) commit.checkpoint().parent().ifPresent(id -> notes.add("folded " + id + "/"));
    return done;
  }

  @Override
  public TaskRecord saveTask(
      Lease lease, Lineage lineage, String checkpoint, TaskRecord task, List<Entry> journal) {
    return at(() -> saved(super.saveTask(lease, lineage, checkpoint, task, journal)));
  }

  @Override
  public TaskRecord saveTaskLast(
      Lease lease, Lineage lineage, String checkpoint, TaskRecord task, List<Entry> journal) {
    return at(() ->
        saved(CombinedCalls.of(store()).saveTaskLast(lease, lineage, checkpoint, task, journal)));
  }

  private TaskRecord saved(TaskRecord existing) {
    if (existing.isFinal()) notes.add("saved " + existing.task());
    return existing;
  }

  @Override
  public StepRecord saveStep(Lease lease, Lineage lineage, String checkpoint, StepRecord step) {
    return at(() -> {
      var existing = super.saveStep(lease, lineage, checkpoint, step);
      notes.add("kept " + step.task() + " " + step.key());
      return existing;
    });
  }

  @Override
  public boolean answer(
      Lease lease, Lineage lineage, String checkpoint, List<Answer> answers, List<Entry> journal) {
    return at(() -> super.answer(lease, lineage, checkpoint, answers, journal));
  }

  @Override
  public void append(Lease lease, List<Entry> entries) {
    at(() -> {
      super.append(lease, entries);
      return true;
    });
  }
}
