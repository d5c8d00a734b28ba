package dev.superstep.checkpoint;

import java.util.List;
import java.util.Optional;

/// A new checkpoint, what it changes against its parent, and all else that is saved with it.
///
/// @param tasks how tasks of the new checkpoint ended before it was made
/// @param steps the results of steps of those tasks
/// @param parentSteps the results of steps of the tasks of its parent that are not saved yet
/// @param answers the answers that those tasks were given
/// @param journal the journal entries saved with it, in order
/// @param topology the shape of its graph as JSON, if the store may not know it yet
public record Commit(
    Lineage lineage,
    Checkpoint checkpoint,
    List<ChannelChange> changes,
    List<TaskRecord> tasks,
    List<StepRecord> steps,
    List<StepRecord> parentSteps,
    List<Answer> answers,
    List<Entry> journal,
    Optional<String> topology) {
  public Commit {
    changes = List.copyOf(changes);
    tasks = List.copyOf(tasks);
    steps = List.copyOf(steps);
    parentSteps = List.copyOf(parentSteps);
    answers = List.copyOf(answers);
    journal = List.copyOf(journal);
  }

  /// A checkpoint and nothing else.
  public Commit(Lineage lineage, Checkpoint checkpoint, List<ChannelChange> changes) {
    this(
        lineage,
        checkpoint,
        changes,
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        Optional.empty());
  }

  /// Returns a copy with these journal entries.
  public Commit withEntries(List<Entry> entries) {
    if (entries.isEmpty() && journal.isEmpty()) return this;
    return new Commit(
        lineage, checkpoint, changes, tasks, steps, parentSteps, answers, entries, topology);
  }

  /// Returns a copy with results of steps of the tasks of its parent.
  public Commit withParentSteps(List<StepRecord> done) {
    if (done.isEmpty() && parentSteps.isEmpty()) return this;
    return new Commit(lineage, checkpoint, changes, tasks, steps, done, answers, journal, topology);
  }

  /// Returns a copy with the shape of the graph.
  public Commit of(String shape) {
    var described = Optional.of(shape);
    return new Commit(
        lineage, checkpoint, changes, tasks, steps, parentSteps, answers, journal, described);
  }

  /// Returns a copy with the saved records of tasks that are still to run.
  public Commit carrying(List<TaskRecord> ended, List<StepRecord> done, List<Answer> given) {
    if (ended.equals(tasks) && done.equals(steps) && given.equals(answers)) return this;
    return new Commit(
        lineage, checkpoint, changes, ended, done, parentSteps, given, journal, topology);
  }
}
