package dev.superstep.checkpoint;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// All that is kept of one lineage. For one thread at a time.
final class MemoryLine {
  private final LinkedHashMap<String, Point> points = new LinkedHashMap<>();
  private final Map<String, LinkedHashMap<String, TaskRecord>> tasks = new HashMap<>();
  private final Map<String, LinkedHashMap<StepKey, StepRecord>> steps = new HashMap<>();
  private final Map<String, LinkedHashMap<String, Answer>> answers = new HashMap<>();
  private @Nullable Point head;

  private record StepKey(String task, String key) {}

  /// A checkpoint in its place among all of the store.
  record Point(Checkpoint checkpoint, Map<String, MemoryCell> cells, long sequence) {
    Saved saved() {
      var channels = new ArrayList<SavedChannel>();
      cells.forEach((name, cell) -> channels.add(cell.saved(name)));
      return new Saved(checkpoint, channels);
    }

    Point apart(Checkpoint made, long place) {
      var copies = new TreeMap<String, MemoryCell>();
      cells.forEach((name, cell) -> copies.put(name, cell.apart()));
      return new Point(made, copies, place);
    }

    String id() {
      return checkpoint.id();
    }
  }

  Optional<Point> head() {
    return Optional.ofNullable(head);
  }

  Optional<Point> point(String id) {
    return Optional.ofNullable(points.get(id));
  }

  /// The newest that was there before another one was made.
  Optional<Point> before(long sequence) {
    return newestFirst().stream().filter(p -> p.sequence() < sequence).findFirst();
  }

  List<Point> newestFirst() {
    return List.copyOf(points.sequencedValues().reversed());
  }

  List<Checkpoint> page(Optional<String> before, int limit) {
    var checkpoints = newestFirst().stream().map(Point::checkpoint);
    return before
        .map(id -> checkpoints.dropWhile(c -> !c.id().equals(id)).skip(1))
        .orElse(checkpoints)
        .limit(limit)
        .toList();
  }

  boolean commit(Commit commit, long sequence) {
    var parent = head().map(Point::id);
    var checkpoint = commit.checkpoint();
    if (!parent.equals(checkpoint.parent()) || points.containsKey(checkpoint.id())) return false;
    var cells = new TreeMap<>(head().map(Point::cells).orElse(Map.of()));
    for (var change : commit.changes()) {
      cells.put(change.name(), MemoryCell.changed(change, cells.get(change.name())));
    }
    add(new Point(checkpoint, cells, sequence));
    commit.tasks().forEach(task -> save(checkpoint.id(), task));
    commit.steps().forEach(step -> save(checkpoint.id(), step));
    commit.answers().forEach(answer -> answer(checkpoint.id(), List.of(answer)));
    return true;
  }

  void add(Point point) {
    points.put(point.id(), point);
    head = point;
  }

  /// Goes back to an older checkpoint; those after it stay in the history.
  void rewind(Point point) {
    head = point;
  }

  TaskRecord save(String checkpoint, TaskRecord task) {
    return tasks
        .computeIfAbsent(checkpoint, _ -> new LinkedHashMap<>())
        .merge(task.task(), task, (old, next) -> old.stands() ? old : next);
  }

  StepRecord save(String checkpoint, StepRecord step) {
    return steps
        .computeIfAbsent(checkpoint, _ -> new LinkedHashMap<>())
        .computeIfAbsent(new StepKey(step.task(), step.key()), _ -> step);
  }

  boolean answer(String checkpoint, List<Answer> given) {
    var known = answers.computeIfAbsent(checkpoint, _ -> new LinkedHashMap<>());
    for (var answer : given) if (known.containsKey(answer.interrupt())) return false;
    for (var answer : given) known.put(answer.interrupt(), answer);
    return true;
  }

  List<TaskRecord> tasks(String checkpoint) {
    return List.copyOf(tasks.getOrDefault(checkpoint, new LinkedHashMap<>()).values());
  }

  List<StepRecord> steps(String checkpoint) {
    return List.copyOf(steps.getOrDefault(checkpoint, new LinkedHashMap<>()).values());
  }

  List<Answer> answers(String checkpoint) {
    return List.copyOf(answers.getOrDefault(checkpoint, new LinkedHashMap<>()).values());
  }

  /// Removes checkpoints and what is kept of their tasks; the head then is the newest left.
  ///
  /// @return the ids of those that are gone
  Set<String> remove(Predicate<Point> gone) {
    var ids = new java.util.HashSet<String>();
    points.values().removeIf(point -> gone.test(point) && ids.add(point.id()));
    for (var id : ids) {
      tasks.remove(id);
      steps.remove(id);
      answers.remove(id);
    }
    if (head != null && ids.contains(head.id())) head = newestFirst().stream().findFirst().orElse(null);
    return ids;
  }

  /// The ids of tasks that checkpoints took over from others.
  Set<String> takenOver() {
    var ids = new java.util.HashSet<String>();
    for (var point : points.values()) {
      var progress = point.checkpoint().progress();
      for (var due : progress.next()) due.task().ifPresent(ids::add);
      for (var due : progress.held()) due.task().ifPresent(ids::add);
    }
    return ids;
  }

  /// All of it for another thread.
  MemoryLine copy() {
    var copy = new MemoryLine();
    for (var point : points.values()) {
      copy.points.put(point.id(), point.apart(point.checkpoint(), point.sequence()));
    }
    tasks.forEach((id, kept) -> copy.tasks.put(id, new LinkedHashMap<>(kept)));
    steps.forEach((id, kept) -> copy.steps.put(id, new LinkedHashMap<>(kept)));
    answers.forEach((id, kept) -> copy.answers.put(id, new LinkedHashMap<>(kept)));
    if (head != null) copy.head = copy.points.get(head.id());
    return copy;
  }
}
