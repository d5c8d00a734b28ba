package dev.superstep.graph.internal.persistence;

import dev.superstep.checkpoint.ChannelChange;
import dev.superstep.checkpoint.ChannelChange.Change;
import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.checkpoint.Commit;
import dev.superstep.checkpoint.Entry;
import dev.superstep.checkpoint.LeaseLost;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.Saved;
import dev.superstep.checkpoint.SavedChannel;
import dev.superstep.checkpoint.StepRecord;
import dev.superstep.checkpoint.TaskId;
import dev.superstep.checkpoint.TaskRecord;
import dev.superstep.checkpoint.ThreadRecord;
import dev.superstep.json.Json;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/// Collects writes until they are settled; then it saves the newest checkpoint of each lineage,
/// with all changes since the one before the run, and the records of its tasks. Safe for many
/// threads.
final class ExitWrites implements WriteStrategy {
  private final SyncWrites direct;
  private final Runnable first;
  private final Map<Lineage, Line> lines = new LinkedHashMap<>();
  private final List<Entry> journal = new ArrayList<>();

  /// @param first settles the memories in other stores that the thread's own graph names
  ExitWrites(SyncWrites direct, Runnable first) {
    this.direct = direct;
    this.first = first;
  }

  /// The pending writes of a lineage.
  private static final class Line {
    /// Several of a graph that remembers, one for each activation: a task may continue from one
    /// that is not the newest, if the activation after it was left undone.
    private final Deque<Commit> commits = new ArrayDeque<>();

    private final Map<String, List<TaskRecord>> tasks = new LinkedHashMap<>();
    private final Map<String, List<StepRecord>> steps = new LinkedHashMap<>();

    private void forget(String checkpoint) {
      tasks.remove(checkpoint);
      steps.remove(checkpoint);
    }
  }

  @Override
  public SyncWrites direct() {
    return direct;
  }

  @Override
  public synchronized Optional<Saved> latest(Lineage lineage) {
    var saved = store().latest(lineage);
    var line = lines.get(lineage);
    if (line == null) return saved;
    for (var commit : line.commits) saved = Optional.of(with(commit, saved));
    return saved;
  }

  private static Saved with(Commit commit, Optional<Saved> before) {
    var channels = before.map(Saved::channels).orElse(List.of());
    return new Saved(commit.checkpoint(), SavedChannel.changed(channels, commit.changes()));
  }

  @Override
  public synchronized Optional<ThreadRecord> threadRecord(Lineage lineage) {
    if (!lines.containsKey(lineage)) return direct.threadRecord(lineage);
    return latest(lineage)
        .map(saved -> {
          var id = saved.checkpoint().id();
          var answers = store().answers(lineage, id);
          return new ThreadRecord(saved, tasks(lineage, id), steps(lineage, id), answers);
        });
  }

  @Override
  public synchronized List<TaskRecord> tasks(Lineage lineage, String checkpoint) {
    var line = lines.get(lineage);
    var all = new ArrayList<>(store().tasks(lineage, checkpoint));
    if (line != null) all.addAll(line.tasks.getOrDefault(checkpoint, List.of()));
    return all;
  }

  @Override
  public synchronized List<StepRecord> steps(Lineage lineage, String checkpoint) {
    var line = lines.get(lineage);
    var all = new ArrayList<>(store().steps(lineage, checkpoint));
    if (line != null) all.addAll(line.steps.getOrDefault(checkpoint, List.of()));
    return all;
  }

  @Override
  public synchronized boolean commit(Commit next) {
    journal.addAll(next.journal());
    var line = line(next.lineage());
    var at = next.checkpoint();
    boolean begins = next.lineage().isRemembered() && at.source() == Checkpoint.Source.INPUT;
    var before = begins ? null : line.commits.pollLast();
    // Task records of a checkpoint that is never saved are of no use.
    if (before != null) line.forget(before.checkpoint().id());
    at.parent().ifPresent(line::forget);
    forgetInside(TaskId.of(at.generation(), at.step()));
    line.commits.add(before == null ? next.withEntries(List.of()) : merged(before, next));
    return true;
  }

  @Override
  public boolean commitFirst(Commit commit) {
    return commit(commit);
  }

  /// Drops the lineages of subgraphs inside tasks that are over.
  private void forgetInside(String scope) {
    for (var inside : List.copyOf(lines.keySet())) {
      if (!inside.isInside(scope)) continue;
      var gone = lines.remove(inside);
      var newest = gone == null ? null : gone.commits.peekLast();
      if (newest != null) forgetInside(newest.checkpoint().generation());
    }
  }

  private static Commit merged(Commit old, Commit next) {
    var changes = new LinkedHashMap<String, ChannelChange>();
    for (var change : old.changes()) changes.put(change.name(), change);
    for (var change : next.changes()) changes.merge(change.name(), change, ExitWrites::then);
    var at = next.checkpoint();
    var checkpoint =
        new Checkpoint(
            at.format(),
            at.id(),
            old.checkpoint().parent(),
            at.generation(),
            at.step(),
            at.source(),
            at.at(),
            at.run(),
            at.graph(),
            at.graphHash(),
            at.progress(),
            at.metadata());
    return new Commit(
        next.lineage(),
        checkpoint,
        List.copyOf(changes.values()),
        next.tasks(),
        next.steps(),
        next.answers(),
        List.of(),
        old.topology().or(next::topology));
  }

  /// Merges two consecutive changes of a channel into one.
  private static ChannelChange then(ChannelChange first, ChannelChange second) {
    var change =
        switch (second.change()) {
          case Change.Whole _, Change.Cleared _ -> second.change();
          case Change.Items(var kept, var added) -> after(first.change(), kept, added);
        };
    return new ChannelChange(second.name(), second.version(), change);
  }

  private static Change after(Change first, int kept, List<Json> added) {
    return switch (first) {
      case Change.Whole _, Change.Cleared _ -> {
        // The items to retain must exist.
        if (kept > 0) throw new IllegalArgumentException("there are no " + kept + " items to keep");
        yield new Change.Items(0, added);
      }
      case Change.Items(var before, var more) -> {
        if (kept <= before) yield new Change.Items(kept, added);
        var items = new ArrayList<>(more.subList(0, kept - before));
        items.addAll(added);
        yield new Change.Items(before, items);
      }
    };
  }

  @Override
  public synchronized void task(
      Lineage lineage, String checkpoint, TaskRecord task, List<Entry> told) {
    journal.addAll(told);
    line(lineage).tasks.computeIfAbsent(checkpoint, _ -> new ArrayList<>()).add(task);
  }

  @Override
  public synchronized StepRecord step(Lineage lineage, String checkpoint, StepRecord step) {
    line(lineage).steps.computeIfAbsent(checkpoint, _ -> new ArrayList<>()).add(step);
    return step;
  }

  @Override
  public synchronized void append(List<Entry> entries) {
    journal.addAll(entries);
  }

  // The graph itself comes last: until then the thread is as it was before.
  @Override
  public synchronized void settle() {
    for (var lineage : List.copyOf(lines.keySet())) {
      if (!lineage.namespace().isEmpty()) settle(lineage, List.of());
    }
    first.run();
    var told = List.copyOf(journal);
    var own = lines.keySet().stream().findAny();
    if (own.isPresent()) {
      settle(own.get(), told);
    } else {
      direct.append(told);
      journal.clear();
    }
  }

  /// Writes everything pending of a lineage. Whatever could not be written stays, to be tried
  /// again.
  private void settle(Lineage lineage, List<Entry> told) {
    var line = Objects.requireNonNull(lines.get(lineage));
    if (line.commits.isEmpty()) direct.append(told);
    while (!line.commits.isEmpty()) {
      var commit = line.commits.getFirst().withEntries(line.commits.size() == 1 ? told : List.of());
      if (!direct.commit(commit)) throw new LeaseLost(direct.lease());
      line.commits.removeFirst();
    }
    if (lineage.namespace().isEmpty()) journal.clear();
    line.steps.forEach((id, steps) -> steps.forEach(s -> direct.step(lineage, id, s)));
    line.tasks.forEach((id, tasks) -> tasks.forEach(t -> direct.task(lineage, id, t, List.of())));
    lines.remove(lineage);
  }

  private Line line(Lineage lineage) {
    return lines.computeIfAbsent(lineage, _ -> new Line());
  }
}
