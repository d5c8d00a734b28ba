package dev.superstep.testkit;

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
import dev.superstep.checkpoint.Saved;
import dev.superstep.checkpoint.StepRecord;
import dev.superstep.checkpoint.StoreFailed;
import dev.superstep.checkpoint.TaskRecord;
import dev.superstep.checkpoint.ThreadRecord;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/// The store as seen by a process that dies at its n-th write: before the write or after it. After
/// that nothing of the process reaches the store, so its lease stays. Safe for many threads.
final class CrashingCheckpointer extends ForwardingCheckpointer
    implements CheckpointerCapability.CombinedCalls {
  /// A number of writes that no test makes.
  static final int NEVER = Integer.MAX_VALUE;

  private final EffectLedger ledger;
  private final AtomicInteger left;
  private final boolean isAfter;
  private volatile boolean isDead;

  /// @param point the number of the write at which the process dies, from 1
  /// @param isAfter the write is made before the process dies
  CrashingCheckpointer(Checkpointer store, EffectLedger ledger, int point, boolean isAfter) {
    super(store);
    this.ledger = ledger;
    this.left = new AtomicInteger(point);
    this.isAfter = isAfter;
  }

  boolean isDead() {
    return isDead;
  }

  private <T> T write(Supplier<T> write) {
    live();
    boolean isHere = left.decrementAndGet() == 0;
    if (isHere && !isAfter) die();
    var result = write.get();
    if (isHere) die();
    return result;
  }

  private void die() {
    isDead = true;
    live();
  }

  private void live() {
    if (isDead) throw StoreFailed.uncertain("of a dead process", "it died", new AssertionError());
  }

  @Override
  public Lease acquire(String thread, String owner, Duration time) {
    return write(() -> super.acquire(thread, owner, time));
  }

  @Override
  public AcquiredThread acquireThread(String thread, String owner, Duration time) {
    return write(() -> CombinedCalls.of(store()).acquireThread(thread, owner, time));
  }

  @Override
  public Optional<IdleThread> idleThread(String thread) {
    live();
    return CombinedCalls.of(store()).idleThread(thread);
  }

  @Override
  public Optional<Lease> acquireWith(
      IdleThread idle, String owner, Duration time, FirstWrite write) {
    return write(() -> CombinedCalls.of(store()).acquireWith(idle, owner, time, write));
  }

  @Override
  public boolean renew(Lease lease, Duration time) {
    live();
    return super.renew(lease, time);
  }

  @Override
  public void release(Lease lease) {
    write(() -> {
      super.release(lease);
      return lease;
    });
  }

  @Override
  public boolean commit(Lease lease, Commit commit) {
    return write(() -> super.commit(lease, commit));
  }

  @Override
  public boolean commitLast(Lease lease, Commit commit) {
    return write(() -> CombinedCalls.of(store()).commitLast(lease, commit));
  }

  @Override
  public TaskRecord saveTask(
      Lease lease, Lineage lineage, String checkpoint, TaskRecord task, List<Entry> journal) {
    return write(() -> super.saveTask(lease, lineage, checkpoint, task, journal));
  }

  @Override
  public TaskRecord saveTaskLast(
      Lease lease, Lineage lineage, String checkpoint, TaskRecord task, List<Entry> journal) {
    return write(
        () -> CombinedCalls.of(store()).saveTaskLast(lease, lineage, checkpoint, task, journal));
  }

  @Override
  public StepRecord saveStep(Lease lease, Lineage lineage, String checkpoint, StepRecord step) {
    return write(() -> {
      var existing = super.saveStep(lease, lineage, checkpoint, step);
      ledger.saved(existing.task(), existing.key());
      return existing;
    });
  }

  @Override
  public boolean answer(
      Lease lease, Lineage lineage, String checkpoint, List<Answer> answers, List<Entry> journal) {
    return write(() -> super.answer(lease, lineage, checkpoint, answers, journal));
  }

  @Override
  public void append(Lease lease, List<Entry> entries) {
    write(() -> {
      super.append(lease, entries);
      return lease;
    });
  }

  @Override
  public Optional<Saved> latest(Lineage lineage) {
    live();
    return super.latest(lineage);
  }

  @Override
  public Optional<ThreadRecord> threadRecord(Lineage lineage) {
    live();
    return CombinedCalls.of(store()).threadRecord(lineage);
  }
}
