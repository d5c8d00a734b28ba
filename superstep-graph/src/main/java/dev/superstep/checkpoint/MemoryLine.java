package dev.superstep.checkpoint;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongUnaryOperator;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// All that is kept of one lineage. For one thread at a time.
final class MemoryLine {
  private final LinkedHashMap<String, Point> points = new LinkedHashMap<>();
  // The same in the order of the store, so that a page costs no more than itself.
  private final TreeMap<Long, Point> inOrder = new TreeMap<>();
  private final Map<String, LinkedHashMap<String, TaskRecord>> tasks = new HashMap<>();
  private final Map<String, LinkedHashMap<StepKey, StepRecord>> steps = new HashMap<>();
  private final Map<String, LinkedHashMap<String, Answer>> answers = new HashMap<>();
  // Which checkpoint became the newest when: by being added, or by going back to it.
  private final TreeMap<Long, String> heads = new TreeMap<>();
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

    /// The ids of tasks that it took over from another checkpoint.
    Set<String> takenOver() {
      var ids = new HashSet<String>();
      var progress = checkpoint.progress();
      for (var due : progress.next()) due.task().ifPresent(ids::add);
      for (var due : progress.held()) due.task().ifPresent(ids::add);
      return ids;
    }
  }

  Optional<Point> head() {
    return Optional.ofNullable(head);
  }

  Optional<Point> point(String id) {
    return Optional.ofNullable(points.get(id));
  }

  /// The newest at the time when another one was made.
  Optional<Point> asOf(long sequence) {
    var entry = heads.floorEntry(sequence);
    return entry == null ? Optional.empty() : point(entry.getValue());
  }

  List<Point> newestFirst() {
    return List.copyOf(inOrder.descendingMap().values());
  }

  List<Checkpoint> page(Optional<String> before, int limit) {
    var older = inOrder.descendingMap();
    if (before.isPresent()) {
      var seen = points.get(before.get());
      if (seen == null) return List.of();
      older = older.tailMap(seen.sequence(), false);
    }
    // Not as a stream, which asks a part of a map for its size: it counts.
    var page = new ArrayList<Checkpoint>();
    for (var point : older.values()) {
      if (page.size() >= limit) break;
      page.add(point.checkpoint());
    }
    return List.copyOf(page);
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
    put(point);
    heads.put(point.sequence(), point.id());
    head = point;
  }

  private void put(Point point) {
    points.put(point.id(), point);
    inOrder.put(point.sequence(), point);
  }

  /// Goes back to an older checkpoint; those after it stay in the history.
  ///
  /// @param sequence of the checkpoint that was made when this happened
  void rewind(Point point, long sequence) {
    heads.put(sequence, point.id());
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
    var next = new LinkedHashMap<>(known);
    for (var answer : given) {
      if (next.putIfAbsent(answer.interrupt(), answer) != null) return false;
    }
    known.putAll(next);
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

  /// Whether nothing at all is kept.
  boolean isBare() {
    return points.isEmpty()
        && tasks.values().stream().allMatch(Map::isEmpty)
        && steps.values().stream().allMatch(Map::isEmpty)
        && answers.values().stream().allMatch(Map::isEmpty);
  }

  /// Removes checkpoints and what is kept of their tasks; the head then is the newest left.
  ///
  /// @return those that are gone
  List<Point> remove(Predicate<Point> gone) {
    var removed = points.values().stream().filter(gone).toList();
    for (var point : removed) {
      points.remove(point.id());
      inOrder.remove(point.sequence());
      heads.remove(point.sequence());
      tasks.remove(point.id());
      steps.remove(point.id());
      answers.remove(point.id());
    }
    if (head != null && !points.containsKey(head.id())) {
      head = newestFirst().stream().findFirst().orElse(null);
    }
    return removed;
  }

  Set<Long> sequences() {
    return heads.keySet();
  }

  /// All of it for another thread.
  ///
  /// @param place where in the store's order a checkpoint is to be
  MemoryLine copy(LongUnaryOperator place) {
    var copy = new MemoryLine();
    for (var point : points.values()) {
      var at = place.applyAsLong(point.sequence());
      copy.put(point.apart(point.checkpoint(), at));
    }
    heads.forEach((sequence, id) -> copy.heads.put(place.applyAsLong(sequence), id));
    tasks.forEach((id, kept) -> copy.tasks.put(id, new LinkedHashMap<>(kept)));
    steps.forEach((id, kept) -> copy.steps.put(id, new LinkedHashMap<>(kept)));
    answers.forEach((id, kept) -> copy.answers.put(id, new LinkedHashMap<>(kept)));
    if (head != null) copy.head = copy.points.get(head.id());
    return copy;
  }
}
