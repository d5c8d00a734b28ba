package dev.superstep.graph;

import dev.superstep.checkpoint.Answer;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.Commit;
import dev.superstep.checkpoint.Entry;
import dev.superstep.checkpoint.Fork;
import dev.superstep.checkpoint.ForwardingCheckpointer;
import dev.superstep.checkpoint.Lease;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.StepRecord;
import dev.superstep.checkpoint.StoreFailed;
import dev.superstep.checkpoint.TaskRecord;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/// A store that fails from its n-th write on, as if the process died there, until it is mended.
final class FailingCheckpointer extends ForwardingCheckpointer {
  private final AtomicInteger left;
  private final Predicate<Object> counts;

  private FailingCheckpointer(Checkpointer store, int left, Predicate<Object> counts) {
    this(store, new AtomicInteger(left), counts);
  }

  private FailingCheckpointer(Checkpointer store, AtomicInteger left, Predicate<Object> counts) {
    super(store);
    this.left = left;
    this.counts = counts;
  }

  /// Another store that dies and is mended with this one.
  FailingCheckpointer with(Checkpointer other) {
    return new FailingCheckpointer(other, left, counts);
  }

  /// Dies after so many writes.
  static FailingCheckpointer afterWrites(Checkpointer store, int writes) {
    return new FailingCheckpointer(store, writes, _ -> true);
  }

  /// Dies after so many checkpoints of the thread's own graph; those of subgraphs do not count.
  static FailingCheckpointer afterOuterCommits(Checkpointer store, int commits) {
    return new FailingCheckpointer(
        store, commits, w -> w instanceof Commit c && c.lineage().namespace().isEmpty());
  }

  void dieAfter(int writes) {
    left.set(writes);
  }

  boolean isAlive() {
    return left.get() > 0;
  }

  void mend() {
    left.set(Integer.MAX_VALUE);
  }

  private void write(Object what) {
    int now = counts.test(what) ? left.getAndUpdate(n -> Math.max(0, n - 1)) : left.get() + 1;
    if (now <= 0) throw new StoreFailed("here", "it died", new IllegalStateException("dead"));
  }

  @Override
  public boolean commit(Lease lease, Commit commit) {
    write(commit);
    return super.commit(lease, commit);
  }

  @Override
  public boolean fork(Lease lease, Fork fork) {
    write(fork);
    return super.fork(lease, fork);
  }

  @Override
  public TaskRecord saveTask(
      Lease lease, Lineage lineage, String checkpoint, TaskRecord task, List<Entry> journal) {
    write(task);
    return super.saveTask(lease, lineage, checkpoint, task, journal);
  }

  @Override
  public StepRecord saveStep(Lease lease, Lineage lineage, String checkpoint, StepRecord step) {
    write(step);
    return super.saveStep(lease, lineage, checkpoint, step);
  }

  @Override
  public boolean answer(
      Lease lease, Lineage lineage, String checkpoint, List<Answer> answers, List<Entry> journal) {
    write(answers);
    return super.answer(lease, lineage, checkpoint, answers, journal);
  }
}
