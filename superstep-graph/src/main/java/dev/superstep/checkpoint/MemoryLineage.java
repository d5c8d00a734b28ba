package dev.superstep.checkpoint;

import dev.superstep.json.Json;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongUnaryOperator;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The content of one lineage. Most have a few checkpoints, so parts that only long ones need are
/// made when they are long. For one thread at a time.
final class MemoryLineage {
  // Up to here it is quicker to look at each than to ask a map.
  private static final int FEW = 8;

  // No checkpoint has this id.
  private static final String NOWHERE = "";

  // In the order of the store.
  private final ArrayList<Point> points = new ArrayList<>(2);
  private @Nullable Map<String, Point> byId;
  // Of checkpoints that are still to come.
  private Map<String, MemoryTaskRecords> early = Map.of();
  // Which checkpoint became the newest when, by going back to it.
  private @Nullable TreeMap<Long, String> rewinds;
  private @Nullable Point head;

  /// A checkpoint in its place among all of the store.
  static final class Point {
    private final Checkpoint checkpoint;
    private final MemoryCells cells;
    private final long sequence;
    private @Nullable MemoryTaskRecords records;

    Point(Checkpoint checkpoint, MemoryCells cells, long sequence) {
      this.checkpoint = checkpoint;
      this.cells = cells;
      this.sequence = sequence;
    }

    Checkpoint checkpoint() {
      return checkpoint;
    }

    long sequence() {
      return sequence;
    }

    Saved saved() {
      return new Saved(checkpoint, cells.saved());
    }

    Point apart(Checkpoint made, long place) {
      return apart(made, place, new IdentityHashMap<>());
    }

    private Point apart(Checkpoint made, long place, Map<List<Json>, List<Json>> logs) {
      return new Point(made, cells.apart(logs), place);
    }

    String id() {
      return checkpoint.id();
    }

    /// The ids of tasks that it took over from another checkpoint.
    Set<String> inheritedTasks() {
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
    return Optional.ofNullable(find(id));
  }

  /// Returns the changes of a checkpoint against its parent, or empty if one of the two is not
  /// stored.
  Optional<List<ChannelChange>> changes(String id) {
    var after = find(id);
    var parent = after == null ? null : after.checkpoint().parent().orElse(null);
    var before = parent == null ? null : find(parent);
    if (after == null || before == null) return Optional.empty();
    return Optional.of(after.cells.since(before.cells));
  }

  private @Nullable Point find(String id) {
    if (byId != null) return byId.get(id);
    // Mostly the newest is asked for.
    for (int i = points.size() - 1; i >= 0; i--) {
      if (points.get(i).id().equals(id)) return points.get(i);
    }
    return null;
  }

  /// The newest at the time when another one was made.
  Optional<Point> asOf(long sequence) {
    int after = firstAfter(sequence);
    var made = after == 0 ? null : points.get(after - 1);
    var back = rewinds == null ? null : rewinds.floorEntry(sequence);
    if (back != null && (made == null || back.getKey() >= made.sequence())) {
      return point(back.getValue());
    }
    return Optional.ofNullable(made);
  }

  /// The place of the first point that is later than that.
  private int firstAfter(long sequence) {
    int low = 0;
    int high = points.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (points.get(middle).sequence() <= sequence) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  List<Point> newestFirst() {
    return points.reversed();
  }

  List<Checkpoint> page(Optional<String> before, int limit) {
    int end = points.size();
    if (before.isPresent()) {
      var seen = find(before.get());
      if (seen == null) return List.of();
      end = firstAfter(seen.sequence()) - 1;
    }
    var page = new ArrayList<Checkpoint>();
    for (int i = end - 1; i >= 0 && page.size() < limit; i--) {
      page.add(points.get(i).checkpoint());
    }
    return List.copyOf(page);
  }

  boolean commit(Commit commit, long sequence) {
    var checkpoint = commit.checkpoint();
    if (!isNewest(checkpoint.parent()) || find(checkpoint.id()) != null) return false;
    var before = head == null ? MemoryCells.NONE : head.cells;
    for (var step : commit.parentSteps()) save(checkpoint.parent().orElseThrow(), step);
    add(new Point(checkpoint, before.changed(commit.changes()), sequence));
    for (var task : commit.tasks()) save(checkpoint.id(), task);
    for (var step : commit.steps()) save(checkpoint.id(), step);
    for (var answer : commit.answers()) answer(checkpoint.id(), List.of(answer));
    return true;
  }

  private boolean isNewest(Optional<String> parent) {
    if (parent.isEmpty()) return head == null;
    return head != null && head.id().equals(parent.get());
  }

  void add(Point point) {
    put(point);
    head = point;
  }

  private void put(Point point) {
    points.add(point);
    var records = early.get(point.id());
    if (records != null) {
      point.records = records;
      early = new LinkedHashMap<>(early);
      early.remove(point.id());
    }
    if (byId != null) {
      byId.put(point.id(), point);
    } else if (points.size() > FEW) {
      byId = new HashMap<>();
      for (var known : points) byId.put(known.id(), known);
    }
  }

  /// Goes back to an older checkpoint, or to before the first; those after it stay in the history.
  ///
  /// @param sequence of the checkpoint that was made when this happened
  void rewind(@Nullable Point point, long sequence) {
    if (rewinds == null) rewinds = new TreeMap<>();
    rewinds.put(sequence, point == null ? NOWHERE : point.id());
    head = point;
  }

  TaskRecord save(String checkpoint, TaskRecord task) {
    return open(checkpoint).save(task);
  }

  StepRecord save(String checkpoint, StepRecord step) {
    return open(checkpoint).save(step);
  }

  boolean answer(String checkpoint, List<Answer> given) {
    return open(checkpoint).answer(given);
  }

  private MemoryTaskRecords open(String checkpoint) {
    var known = records(checkpoint);
    if (known != null) return known;
    var made = new MemoryTaskRecords();
    var point = find(checkpoint);
    if (point == null) early = MemoryTaskRecords.with(early, checkpoint, made);
    else point.records = made;
    return made;
  }

  private @Nullable MemoryTaskRecords records(String checkpoint) {
    var point = find(checkpoint);
    return point == null ? early.get(checkpoint) : point.records;
  }

  List<TaskRecord> tasks(String checkpoint) {
    var records = records(checkpoint);
    return records == null ? List.of() : records.tasks();
  }

  List<StepRecord> steps(String checkpoint) {
    var records = records(checkpoint);
    return records == null ? List.of() : records.steps();
  }

  List<Answer> answers(String checkpoint) {
    var records = records(checkpoint);
    return records == null ? List.of() : records.answers();
  }

  /// Returns whether nothing at all is stored.
  boolean isBare() {
    if (!points.isEmpty()) return false;
    for (var records : early.values()) if (!records.isEmpty()) return false;
    return true;
  }

  /// Removes checkpoints and the records of their tasks; the head then is the newest left.
  ///
  /// @return those that are gone
  List<Point> remove(Predicate<Point> gone) {
    var removed = points.stream().filter(gone).toList();
    points.removeIf(gone);
    for (var point : removed) {
      if (byId != null) byId.remove(point.id());
    }
    if (head != null && find(head.id()) == null) {
      head = points.isEmpty() ? null : points.getLast();
    }
    return removed;
  }

  Set<Long> sequences() {
    var all = new TreeSet<Long>();
    for (var point : points) all.add(point.sequence());
    if (rewinds != null) all.addAll(rewinds.keySet());
    return all;
  }

  /// All of it for another thread.
  ///
  /// @param place where in the store's order a checkpoint is to be
  MemoryLineage copy(LongUnaryOperator place) {
    var copy = new MemoryLineage();
    var logs = new IdentityHashMap<List<Json>, List<Json>>();
    var copies = new ArrayList<Point>(points.size());
    // The newest has all of a log, of which others have the beginning.
    for (var point : points.reversed()) {
      var same = point.apart(point.checkpoint(), place.applyAsLong(point.sequence()), logs);
      if (point.records != null) same.records = point.records.copy();
      copies.add(same);
    }
    copies.reversed().forEach(copy::put);
    if (rewinds != null) {
      var back = new TreeMap<Long, String>();
      rewinds.forEach((sequence, id) -> back.put(place.applyAsLong(sequence), id));
      copy.rewinds = back;
    }
    early.forEach(
        (id, records) -> copy.early = MemoryTaskRecords.with(copy.early, id, records.copy()));
    if (head != null) copy.head = copy.find(head.id());
    return copy;
  }
}
