package dev.superstep.checkpoint;

import java.util.List;
import java.util.Optional;

/// A new checkpoint, what it changes against its parent, and all else that is saved with it.
///
/// @param tasks how tasks of the new checkpoint ended before it was made
/// @param steps the results of steps of those tasks
/// @param answers the answers that those tasks were given
/// @param journal what is told with it, in order
/// @param topology the shape of its graph as JSON, if the store may not know it yet
public record Commit(
    Lineage lineage,
    Checkpoint checkpoint,
    List<ChannelChange> changes,
    List<TaskRecord> tasks,
    List<StepRecord> steps,
    List<Answer> answers,
    List<Entry> journal,
    Optional<String> topology) {
  public Commit {
    changes = List.copyOf(changes);
    tasks = List.copyOf(tasks);
    steps = List.copyOf(steps);
    answers = List.copyOf(answers);
    journal = List.copyOf(journal);
  }

  /// A checkpoint and nothing else.
  public Commit(Lineage lineage, Checkpoint checkpoint, List<ChannelChange> changes) {
    this(
        lineage, checkpoint, changes, List.of(), List.of(), List.of(), List.of(), Optional.empty());
  }

  /// The same, and this told with it.
  public Commit telling(List<Entry> entries) {
    if (entries.isEmpty() && journal.isEmpty()) return this;
    return new Commit(lineage, checkpoint, changes, tasks, steps, answers, entries, topology);
  }

  /// The same, and the shape of the graph with it.
  public Commit of(String shape) {
    return new Commit(
        lineage, checkpoint, changes, tasks, steps, answers, journal, Optional.of(shape));
  }

  /// The same, with what was kept of tasks that are still to come.
  public Commit carrying(List<TaskRecord> ended, List<StepRecord> done, List<Answer> given) {
    if (ended.equals(tasks) && done.equals(steps) && given.equals(answers)) return this;
    return new Commit(lineage, checkpoint, changes, ended, done, given, journal, topology);
  }
}
