package dev.superstep.graph.internal.persistence;

import dev.superstep.checkpoint.Answer;
import dev.superstep.checkpoint.ChannelChange;
import dev.superstep.checkpoint.ChannelChange.Change;
import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.Commit;
import dev.superstep.checkpoint.Entry;
import dev.superstep.checkpoint.Fork;
import dev.superstep.checkpoint.LeaseLost;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.Saved;
import dev.superstep.checkpoint.SavedChannel;
import dev.superstep.checkpoint.SavedChannel.Content;
import dev.superstep.checkpoint.StepRecord;
import dev.superstep.checkpoint.TaskId;
import dev.superstep.checkpoint.TaskRecord;
import dev.superstep.checkpoint.ThreadRecord;
import dev.superstep.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

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
    private Optional<Commit> commit = Optional.empty();

    /// The final states of the activations of a graph that remembers. A task may continue from one
    /// that is not the newest, if the activation after it was left undone.
    private final List<Commit> over = new ArrayList<>();

    private final Map<String, List<TaskRecord>> tasks = new LinkedHashMap<>();
    private final Map<String, List<StepRecord>> steps = new LinkedHashMap<>();

    private void forget(String checkpoint) {
      tasks.remove(checkpoint);
      steps.remove(checkpoint);
    }
  }

  @Override
  public Checkpointer store() {
    return direct.store();
  }

  @Override
  public synchronized Optional<Saved> latest(Lineage lineage) {
    var line = lines.get(lineage);
    var saved = direct.latest(lineage);
    if (line == null) return saved;
    for (var commit : line.over) saved = Optional.of(with(commit, saved));
    return line.commit.isEmpty() ? saved : Optional.of(with(line.commit.get(), saved));
  }

  @Override
  public synchronized Optional<ThreadRecord> threadRecord(Lineage lineage) {
    return lines.containsKey(lineage)
        ? WriteStrategy.super.threadRecord(lineage)
        : direct.threadRecord(lineage);
  }

  private static Saved with(Commit commit, Optional<Saved> before) {
    var channels = new LinkedHashMap<String, SavedChannel>();
    before.ifPresent(saved -> saved.channels().forEach(c -> channels.put(c.name(), c)));
    for (var change : commit.changes()) {
      var name = change.name();
      var content = content(change.change(), channels.get(name));
      channels.put(name, new SavedChannel(name, change.version(), content));
    }
    return new Saved(commit.checkpoint(), List.copyOf(channels.values()));
  }

  private static Content content(Change change, @Nullable SavedChannel old) {
    return switch (change) {
      case Change.Whole(var value) -> new Content.Whole(value);
      case Change.Cleared() -> new Content.Cleared();
      case Change.Items(var kept, var added) -> {
        var items = new ArrayList<Json>();
        if (old != null && old.content() instanceof Content.Items(var known)) {
          items.addAll(known.subList(0, kept));
        }
        items.addAll(added);
        yield new Content.Items(items);
      }
    };
  }

  @Override
  public synchronized List<TaskRecord> tasks(Lineage lineage, String checkpoint) {
    var line = lines.get(lineage);
    var all = new ArrayList<>(direct.tasks(lineage, checkpoint));
    if (line != null) all.addAll(line.tasks.getOrDefault(checkpoint, List.of()));
    return all;
  }

  @Override
  public synchronized List<StepRecord> steps(Lineage lineage, String checkpoint) {
    var line = lines.get(lineage);
    var all = new ArrayList<>(direct.steps(lineage, checkpoint));
    if (line != null) all.addAll(line.steps.getOrDefault(checkpoint, List.of()));
    return all;
  }

  @Override
  public synchronized boolean commit(Commit next) {
    journal.addAll(next.journal());
    var line = line(next.lineage());
    if (next.lineage().isRemembered() && next.checkpoint().source() == Checkpoint.Source.INPUT) {
      line.commit.ifPresent(line.over::add);
      line.commit = Optional.empty();
    }
    var before = line.commit;
    // What is kept of the tasks of a checkpoint that is never made is of no use.
    before.ifPresent(old -> line.forget(old.checkpoint().id()));
    next.checkpoint().parent().ifPresent(line::forget);
    var at = next.checkpoint();
    forgetInside(TaskId.of(at.generation(), at.step()));
    line.commit =
        Optional.of(before.map(old -> merged(old, next)).orElse(next.withEntries(List.of())));
    return true;
  }

  /// Drops the lineages of subgraphs inside tasks that are over.
  private void forgetInside(String scope) {
    for (var inside : List.copyOf(lines.keySet())) {
      if (!inside.isInside(scope)) continue;
      var gone = lines.remove(inside);
      if (gone != null) gone.commit.ifPresent(c -> forgetInside(c.checkpoint().generation()));
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
        // Never silently without those that are to be kept.
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
  public synchronized boolean fork(Fork fork) {
    settle();
    return direct.fork(fork);
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
  public boolean answer(
      Lineage lineage, String checkpoint, List<Answer> answers, List<Entry> told) {
    settle();
    return direct.answer(lineage, checkpoint, answers, told);
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
    while (!line.over.isEmpty()) {
      if (!direct.commit(line.over.getFirst())) throw new LeaseLost(direct.lease());
      line.over.removeFirst();
    }
    if (line.commit.isPresent()) {
      var commit = line.commit.get().withEntries(told);
      if (!direct.commit(commit)) throw new LeaseLost(direct.lease());
      line.commit = Optional.empty();
    } else {
      direct.append(told);
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
