package dev.superstep.testkit;

import dev.superstep.checkpoint.Answer;
import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.Commit;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.Saved;
import dev.superstep.checkpoint.StepRecord;
import dev.superstep.checkpoint.StoreFailed;
import dev.superstep.checkpoint.TaskRecord;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/// A store that fails at one moment and ever after, as one does whose process is gone: at an odd
/// moment before something is saved, at an even one after it. Safe for many threads.
final class LosingCheckpointer implements Checkpointer {
  private final Checkpointer store;
  private final Set<String> finished = ConcurrentHashMap.newKeySet();
  private int left;
  private boolean lost;

  LosingCheckpointer(Checkpointer store, int moment) {
    this.store = store;
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
  public boolean commit(Commit commit) {
    return saving(() -> store.commit(commit));
  }

  @Override
  public TaskRecord saveTask(Lineage lineage, String checkpoint, TaskRecord task) {
    return saving(() -> {
      if (task.end() instanceof TaskRecord.End.Finished) finished.add(task.task());
      return store.saveTask(lineage, checkpoint, task);
    });
  }

  @Override
  public StepRecord saveStep(Lineage lineage, String checkpoint, StepRecord step) {
    return saving(() -> store.saveStep(lineage, checkpoint, step));
  }

  @Override
  public boolean answer(Lineage lineage, String checkpoint, Answer answer) {
    return saving(() -> store.answer(lineage, checkpoint, answer));
  }

  @Override
  public Optional<Saved> latest(Lineage lineage) {
    return store.latest(lineage);
  }

  @Override
  public Optional<Saved> byId(Lineage lineage, String id) {
    return store.byId(lineage, id);
  }

  @Override
  public List<Checkpoint> page(Lineage lineage, Optional<String> before, int limit) {
    return store.page(lineage, before, limit);
  }

  @Override
  public List<TaskRecord> tasks(Lineage lineage, String checkpoint) {
    return store.tasks(lineage, checkpoint);
  }

  @Override
  public List<StepRecord> steps(Lineage lineage, String checkpoint) {
    return store.steps(lineage, checkpoint);
  }

  @Override
  public List<Answer> answers(Lineage lineage, String checkpoint) {
    return store.answers(lineage, checkpoint);
  }

  @Override
  public void close() {
    store.close();
  }
}
