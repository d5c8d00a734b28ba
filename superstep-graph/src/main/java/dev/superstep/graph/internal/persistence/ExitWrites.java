package dev.superstep.graph.internal.persistence;

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
import dev.superstep.graph.internal.kernel.SavedEffect;
import dev.superstep.graph.internal.kernel.WriteCodec;
import dev.superstep.graph.internal.kernel.WriteCodec.ValueForm;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Collects writes until they are settled; then it saves the newest checkpoint of each lineage,
/// with all changes since the one before the run, and the records of its tasks. Safe for many
/// threads.
final class ExitWrites implements WriteStrategy {
  private final SyncWrites direct;
  private final Runnable first;
  private final Map<Lineage, Line> lines = new LinkedHashMap<>();
  // Those in lines, so that the ones inside a task are found without looking at all.
  private final TreeMap<String, Lineage> namespaces = new TreeMap<>();
  private final List<Entry> journal = new ArrayList<>();
  // What was done outside by tasks whose checkpoints are not saved.
  private final List<StepRecord> effects = new ArrayList<>();

  /// @param first settles the memories in other stores that the thread's own graph names
  ExitWrites(SyncWrites direct, Runnable first) {
    this.direct = direct;
    this.first = first;
  }

  /// The pending writes of a lineage.
  private static final class Line {
    /// Several of a graph that remembers, one for each activation: a task may continue from one
    /// that is not the newest, if the activation after it was left undone.
    private final Deque<PendingCommit> commits = new ArrayDeque<>();

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
    for (var pending : line.commits) saved = Optional.of(with(pending.commit(), saved));
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
    var before = begins ? null : line.commits.peekLast();
    effects.addAll(next.parentSteps().stream().filter(s -> SavedEffect.isKey(s.key())).toList());
    // Task records of a checkpoint that is never saved are of no use.
    if (before != null) line.forget(before.checkpoint());
    at.parent().ifPresent(line::forget);
    forgetInside(TaskId.of(at.generation(), at.step()));
    if (before == null) line.commits.add(new PendingCommit(next));
    else before.add(next);
    return true;
  }

  @Override
  public boolean commitFirst(Commit commit) {
    return commit(commit);
  }

  /// Drops the lineages of subgraphs inside tasks that are over.
  private void forgetInside(String scope) {
    // The names that begin with the scope and a slash; after a slash comes a zero.
    for (var inside : List.copyOf(namespaces.subMap(scope + "/", scope + "0").values())) {
      var gone = remove(inside);
      var newest = gone == null ? null : gone.commits.peekLast();
      if (newest != null) forgetInside(newest.generation());
    }
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
    if (SavedEffect.isKey(step.key())) effects.add(step);
    return step;
  }

  @Override
  public synchronized void append(List<Entry> entries) {
    journal.addAll(entries);
  }

  // The graph itself comes last: until then the thread is as it was before.
  @Override
  public synchronized void settle() {
    if (ValueForm.of(store()) == ValueForm.TEXT) lines.values().forEach(ExitWrites::write);
    for (var lineage : List.copyOf(lines.keySet())) {
      if (!lineage.namespace().isEmpty()) settle(lineage, List.of());
    }
    first.run();
    var told = List.copyOf(journal);
    var own = lines.keySet().stream().findAny();
    if (own.isPresent()) {
      settle(own.get(), told);
      settleEffects(own.get());
    } else {
      direct.append(told);
      journal.clear();
    }
  }

  /// Leaves the effects of all tasks with the newest checkpoint, since those of the others are not
  /// there.
  private void settleEffects(Lineage own) {
    if (effects.isEmpty() || !own.namespace().isEmpty()) return;
    var at = store().page(own, Optional.empty(), 1).stream().findFirst();
    if (at.isEmpty()) return;
    for (var effect : effects) direct.step(own, at.get().id(), effect);
    effects.clear();
  }

  /// Writes the values of a lineage as text, so that the store gets nothing if one has none.
  private static void write(Line line) {
    for (var pending : line.commits) pending.write();
    for (var tasks : line.tasks.values()) for (var task : tasks) WriteCodec.write(task);
    for (var steps : line.steps.values()) for (var step : steps) WriteCodec.write(step);
  }

  /// Writes everything pending of a lineage. Whatever could not be written stays, to be tried
  /// again.
  private void settle(Lineage lineage, List<Entry> told) {
    var line = Objects.requireNonNull(lines.get(lineage));
    if (line.commits.isEmpty()) direct.append(told);
    while (!line.commits.isEmpty()) {
      var entries = line.commits.size() == 1 ? told : List.<Entry>of();
      var commit = line.commits.getFirst().commit().withEntries(entries);
      if (!direct.commit(commit)) throw new LeaseLost(direct.lease());
      line.commits.removeFirst();
    }
    if (lineage.namespace().isEmpty()) journal.clear();
    line.steps.forEach((id, steps) -> steps.forEach(s -> direct.step(lineage, id, s)));
    line.tasks.forEach((id, tasks) -> tasks.forEach(t -> direct.task(lineage, id, t, List.of())));
    remove(lineage);
  }

  private Line line(Lineage lineage) {
    return lines.computeIfAbsent(
        lineage,
        _ -> {
          namespaces.put(lineage.namespace(), lineage);
          return new Line();
        });
  }

  private @Nullable Line remove(Lineage lineage) {
    namespaces.remove(lineage.namespace());
    return lines.remove(lineage);
  }
}
