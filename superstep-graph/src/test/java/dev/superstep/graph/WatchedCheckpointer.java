package dev.superstep.graph;

import dev.superstep.checkpoint.Answer;
import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.Commit;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.Saved;
import dev.superstep.checkpoint.StepRecord;
import dev.superstep.checkpoint.TaskRecord;
import java.util.List;
import java.util.Optional;

/// A checkpointer whose calls a test can hold up or fail, by overriding them.
class WatchedCheckpointer implements Checkpointer {
  private final Checkpointer store;

  WatchedCheckpointer(Checkpointer store) {
    this.store = store;
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
  public boolean commit(Commit commit) {
    return store.commit(commit);
  }

  @Override
  public TaskRecord saveTask(Lineage lineage, String checkpoint, TaskRecord task) {
    return store.saveTask(lineage, checkpoint, task);
  }

  @Override
  public List<TaskRecord> tasks(Lineage lineage, String checkpoint) {
    return store.tasks(lineage, checkpoint);
  }

  @Override
  public StepRecord saveStep(Lineage lineage, String checkpoint, StepRecord step) {
    return store.saveStep(lineage, checkpoint, step);
  }

  @Override
  public List<StepRecord> steps(Lineage lineage, String checkpoint) {
    return store.steps(lineage, checkpoint);
  }

  @Override
  public boolean answer(Lineage lineage, String checkpoint, Answer answer) {
    return store.answer(lineage, checkpoint, answer);
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
