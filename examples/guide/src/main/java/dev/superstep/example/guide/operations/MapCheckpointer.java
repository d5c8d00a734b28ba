package dev.superstep.example.guide.operations;

import dev.superstep.checkpoint.Answer;
import dev.superstep.checkpoint.Checkpoint;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.Commit;
import dev.superstep.checkpoint.Entry;
import dev.superstep.checkpoint.Lease;
import dev.superstep.checkpoint.LeaseLost;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.Saved;
import dev.superstep.checkpoint.SavedChannel;
import dev.superstep.checkpoint.StepRecord;
import dev.superstep.checkpoint.TaskRecord;
import dev.superstep.checkpoint.ThreadBusy;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;

/// Keeps threads in a few maps: the core of a checkpointer, without any capability. One lock makes
/// each method a transaction. Safe for many threads.
public final class MapCheckpointer implements Checkpointer {
  private record Place(Lineage lineage, String checkpoint) {}

  private record Held(Lease lease, Instant until) {}

  private final Map<String, Held> leases = new HashMap<>();
  private final Map<Lineage, SequencedMap<String, Saved>> lineages = new HashMap<>();
  private final Map<Place, Map<String, TaskRecord>> tasks = new HashMap<>();
  private final Map<Place, Map<String, StepRecord>> steps = new HashMap<>();
  private final Map<Place, Map<String, Answer>> answers = new HashMap<>();
  private long tokens;

  @Override
  public synchronized Lease acquire(String thread, String owner, Duration time) {
    var held = leases.get(Lineage.of(thread).thread());
    if (held != null && held.until().isAfter(Instant.now())) {
      throw new ThreadBusy(thread, held.lease().owner(), held.until());
    }
    var lease = new Lease(thread, owner, ++tokens);
    leases.put(thread, new Held(lease, Instant.now().plus(time)));
    return lease;
  }

  @Override
  public synchronized boolean renew(Lease lease, Duration time) {
    check(lease, Lineage.of(lease.thread()));
    leases.put(lease.thread(), new Held(lease, Instant.now().plus(time)));
    return false;
  }

  @Override
  public synchronized void release(Lease lease) {
    leases.computeIfPresent(
        lease.thread(),
        (_, held) -> held.lease().equals(lease) ? new Held(lease, Instant.MIN) : held);
  }

  private void check(Lease lease, Lineage lineage) {
    if (!lease.thread().equals(lineage.thread())) {
      throw new IllegalArgumentException(
          "the lease is of thread `%s`, not of `%s`".formatted(lease.thread(), lineage.thread()));
    }
    var held = leases.get(lease.thread());
    if (held == null || !held.lease().equals(lease)) throw new LeaseLost(lease);
  }

  private SequencedMap<String, Saved> line(Lineage lineage) {
    return lineages.computeIfAbsent(lineage, _ -> new LinkedHashMap<>());
  }

  @Override
  public synchronized Optional<Saved> latest(Lineage lineage) {
    return Optional.ofNullable(line(lineage).lastEntry()).map(Map.Entry::getValue);
  }

  @Override
  public synchronized Optional<Saved> byId(Lineage lineage, String id) {
    return Optional.ofNullable(line(lineage).get(id));
  }

  @Override
  public synchronized List<Checkpoint> page(Lineage lineage, Optional<String> before, int limit) {
    var newestFirst = line(lineage).sequencedValues().reversed().stream().map(Saved::checkpoint);
    return before
        .map(id -> newestFirst.dropWhile(at -> !at.id().equals(id)).skip(1))
        .orElse(newestFirst)
        .limit(limit)
        .toList();
  }

  @Override
  public synchronized boolean commit(Lease lease, Commit commit) {
    check(lease, commit.lineage());
    var made = commit.checkpoint();
    var newest = latest(commit.lineage());
    boolean isOnTop = newest.map(saved -> saved.checkpoint().id()).equals(made.parent());
    if (!isOnTop || byId(commit.lineage(), made.id()).isPresent()) return false;
    var before = newest.map(Saved::channels).orElse(List.of());
    var saved = new Saved(made, SavedChannel.changed(before, commit.changes()));
    line(commit.lineage()).put(made.id(), saved);
    for (var task : commit.tasks()) saveTask(lease, commit.lineage(), made.id(), task, List.of());
    for (var step : commit.steps()) saveStep(lease, commit.lineage(), made.id(), step);
    for (var step : commit.parentSteps()) {
      saveStep(lease, commit.lineage(), made.parent().orElseThrow(), step);
    }
    for (var answer : commit.answers()) {
      answer(lease, commit.lineage(), made.id(), List.of(answer), List.of());
    }
    return true;
  }

  private static <T> Map<String, T> of(Map<Place, Map<String, T>> all, Place place) {
    return all.computeIfAbsent(place, _ -> new LinkedHashMap<>());
  }

  @Override
  public synchronized List<TaskRecord> tasks(Lineage lineage, String checkpoint) {
    return List.copyOf(of(tasks, new Place(lineage, checkpoint)).values());
  }

  @Override
  public synchronized List<StepRecord> steps(Lineage lineage, String checkpoint) {
    return List.copyOf(of(steps, new Place(lineage, checkpoint)).values());
  }

  @Override
  public synchronized List<Answer> answers(Lineage lineage, String checkpoint) {
    return List.copyOf(of(answers, new Place(lineage, checkpoint)).values());
  }

  @Override
  public synchronized TaskRecord saveTask(
      Lease lease, Lineage lineage, String checkpoint, TaskRecord task, List<Entry> journal) {
    check(lease, lineage);
    return of(tasks, new Place(lineage, checkpoint))
        .merge(task.task(), task, (old, now) -> old.isFinal() ? old : now);
  }

  @Override
  public synchronized StepRecord saveStep(
      Lease lease, Lineage lineage, String checkpoint, StepRecord step) {
    check(lease, lineage);
    return of(steps, new Place(lineage, checkpoint))
        .merge(step.task() + " " + step.key(), step, (first, _) -> first);
  }

  @Override
  public synchronized boolean answer(
      Lease lease, Lineage lineage, String checkpoint, List<Answer> given, List<Entry> journal) {
    check(lease, lineage);
    var known = of(answers, new Place(lineage, checkpoint));
    var all = new LinkedHashMap<>(known);
    for (var answer : given) {
      if (all.put(answer.interrupt(), answer) != null) return false;
    }
    known.putAll(all);
    return true;
  }

  @Override
  public void close() {
    // The maps go with the process.
  }
}
