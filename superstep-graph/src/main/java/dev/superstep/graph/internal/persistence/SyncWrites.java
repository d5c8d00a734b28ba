package dev.superstep.graph.internal.persistence;

import dev.superstep.checkpoint.Answer;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.CheckpointerCapability;
import dev.superstep.checkpoint.CheckpointerCapability.CombinedCalls;
import dev.superstep.checkpoint.CheckpointerCapability.EventJournal;
import dev.superstep.checkpoint.Commit;
import dev.superstep.checkpoint.Entry;
import dev.superstep.checkpoint.FirstWrite;
import dev.superstep.checkpoint.Lease;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.StepRecord;
import dev.superstep.checkpoint.TaskRecord;
import dev.superstep.checkpoint.ThreadRecord;
import java.util.List;
import java.util.Optional;

/// Each write is in the store when it returns. Safe for many threads.
record SyncWrites(Checkpointer store, ThreadLease threadLease) implements WriteStrategy {
  /// @throws ThreadAdvanced if the thread is still to be acquired
  Lease lease() {
    return threadLease.lease();
  }

  @Override
  public SyncWrites direct() {
    return this;
  }

  @Override
  public Optional<ThreadRecord> threadRecord(Lineage lineage) {
    return threadLease.threadRecord(lineage);
  }

  @Override
  public boolean commit(Commit commit) {
    return store.commit(lease(), commit);
  }

  @Override
  public boolean commitFirst(Commit commit) {
    return threadLease.isPending()
        ? threadLease.acquireWith(new FirstWrite.OfCommit(commit))
        : commit(commit);
  }

  @Override
  public boolean answer(
      Lineage lineage, String checkpoint, List<Answer> answers, List<Entry> journal) {
    return threadLease.isPending()
        ? threadLease.acquireWith(new FirstWrite.OfAnswers(lineage, checkpoint, answers, journal))
        : store.answer(lease(), lineage, checkpoint, answers, journal);
  }

  @Override
  public boolean commitLast(Commit commit) {
    return threadLease.last(() -> CombinedCalls.of(store).commitLast(lease(), commit));
  }

  @Override
  public void taskLast(Lineage lineage, String checkpoint, TaskRecord task) {
    threadLease.last(() -> {
      CombinedCalls.of(store).saveTaskLast(lease(), lineage, checkpoint, task, List.of());
      return true;
    });
  }

  @Override
  public void task(Lineage lineage, String checkpoint, TaskRecord task, List<Entry> journal) {
    store.saveTask(lease(), lineage, checkpoint, task, journal);
  }

  @Override
  public StepRecord step(Lineage lineage, String checkpoint, StepRecord step) {
    return store.saveStep(lease(), lineage, checkpoint, step);
  }

  @Override
  public void append(List<Entry> entries) {
    if (entries.isEmpty()) return;
    CheckpointerCapability.required(store, EventJournal.class, "The journal")
        .append(lease(), entries);
  }

  @Override
  public boolean isLate() {
    return false;
  }

  @Override
  public void settle() {
    // It is there already.
  }
}
