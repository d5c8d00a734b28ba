package dev.superstep.testkit;

import dev.superstep.checkpoint.Answer;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.Commit;
import dev.superstep.checkpoint.Entry;
import dev.superstep.checkpoint.ForwardingCheckpointer;
import dev.superstep.checkpoint.Lease;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.StepRecord;
import dev.superstep.checkpoint.StoreFailed;
import dev.superstep.checkpoint.TaskRecord;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/// A store that fails at one moment and ever after, as one does whose process is gone: at an odd
/// moment before something is saved, at an even one after it. Safe for many threads.
final class LosingCheckpointer extends ForwardingCheckpointer {
  private final Set<String> finished = ConcurrentHashMap.newKeySet();
  private int left;
  private boolean lost;

  LosingCheckpointer(Checkpointer store, int moment) {
    super(store);
    this.left = moment;
  }

  synchronized boolean isLost() {
    return lost;
  }

  /// The tasks that were saved as finished.
  Set<String> finished() {
    return finished;
  }

  private synchronized <T> T saving(Supplier<T> save) {
    if (lost || --left == 0) fail();
    var saved = save.get();
    if (--left == 0) fail();
    return saved;
  }

  private void fail() {
    lost = true;
    throw new StoreFailed("memory", "lost", new IllegalStateException("lost"));
  }

  @Override
  public boolean commit(Lease lease, Commit commit) {
    return saving(() -> store().commit(lease, commit));
  }

  @Override
  public TaskRecord saveTask(
      Lease lease, Lineage lineage, String checkpoint, TaskRecord task, List<Entry> journal) {
    return saving(() -> {
      if (task.end() instanceof TaskRecord.End.Finished) finished.add(task.task());
      return store().saveTask(lease, lineage, checkpoint, task, journal);
    });
  }

  @Override
  public StepRecord saveStep(Lease lease, Lineage lineage, String checkpoint, StepRecord step) {
    return saving(() -> store().saveStep(lease, lineage, checkpoint, step));
  }

  @Override
  public boolean answer(
      Lease lease, Lineage lineage, String checkpoint, List<Answer> answers, List<Entry> journal) {
    return saving(() -> store().answer(lease, lineage, checkpoint, answers, journal));
  }
}
