package dev.superstep.checkpoint;

import dev.superstep.json.Json;
import java.time.Instant;
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
import java.util.UUID;
import java.util.function.LongUnaryOperator;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The content of one lineage. Most have a few checkpoints, so parts that only long ones need are
/// made when they are long. For one thread at a time.
final class MemoryLineage {
  // Up to here it is quicker to look at each than to ask a map.
  private static final int FEW = 8;

  private static final int UUID_LENGTH = 36;

  // No checkpoint has this id.
  private static final String NOWHERE = "";

  // In the order of the store. Immutable, and half of the size, while there are two.
  private List<Point> points = List.of();
  // By packed id.
  private @Nullable Map<Object, Point> byId;
  // Of checkpoints that are still to come.
  private Map<String, MemoryTaskRecords> early = Map.of();
  // Which checkpoint became the newest when, by going back to it.
  private @Nullable TreeMap<Long, String> rewinds;
  private @Nullable Point head;

  /// A checkpoint in its place among all of the store. It is kept in parts: an id that is a UUID,
  /// as most are, takes less than half of the memory of its text, and many threads wait for long.
  static final class Point {
    private final int format;
    private final Object id;
    private final @Nullable Object parent;
    private final Object generation;
    private final int step;
    private final Checkpoint.Source source;
    private final long second;
    private final int nano;
    private final Object run;
    private final String graph;
    private final String graphHash;
    private final Progress progress;
    private final Map<String, String> metadata;
    private final MemoryCells cells;
    private final long sequence;
    private @Nullable MemoryTaskRecords records;

    /// @param id of the checkpoint, packed
    /// @param before the one that is its parent or has the same run, if there is one here
    Point(Checkpoint made, Object id, MemoryCells cells, long sequence, @Nullable Point before) {
      this.format = made.format();
      this.id = id;
      this.run = packed(made.run(), before == null ? null : before.run);
      this.generation =
          made.generation().equals(made.run()) ? run : packed(made.generation(), null);
      this.parent =
          made.parent().isEmpty()
              ? null
              : packed(made.parent().get(), before == null ? null : before.id);
      this.step = made.step();
      this.source = made.source();
      var at = made.at();
      this.second = at.getEpochSecond();
      this.nano = at.getNano();
      this.graph = made.graph();
      this.graphHash = made.graphHash();
      this.progress = made.progress();
      this.metadata = made.metadata();
      this.cells = cells;
      this.sequence = sequence;
    }

    private static Object packed(String id, @Nullable Object known) {
      var packed = packed(id);
      return known != null && packed.equals(known) ? known : packed;
    }

    /// Returns the form in which an id is kept: as a UUID if its text is that of one. Two forms are
    /// equal if the ids are.
    private static Object packed(String id) {
      if (id.length() != UUID_LENGTH) return id;
      long most = 0;
      long least = 0;
      for (int i = 0; i < UUID_LENGTH; i++) {
        char c = id.charAt(i);
        if (i == 8 || i == 13 || i == 18 || i == 23) {
          if (c != '-') return id;
          continue;
        }
        // Not in capital letters, which a UUID's text has not.
        int digit = c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
        if (digit < 0) return id;
        if (i < UUID_LENGTH / 2) most = most << 4 | digit;
        else least = least << 4 | digit;
      }
      return new UUID(most, least);
    }

    @SuppressWarnings("ReferenceEquality") // one object, so one text
    Checkpoint checkpoint() {
      var runText = run.toString();
      return new Checkpoint(
          format,
          id(),
          Optional.ofNullable(parent).map(Object::toString),
          generation == run ? runText : generation.toString(),
          step,
          source,
          Instant.ofEpochSecond(second, nano),
          runText,
          graph,
          graphHash,
          progress,
          metadata);
    }

    long sequence() {
      return sequence;
    }

    Saved saved() {
      return new Saved(checkpoint(), cells.saved());
    }

    /// Returns a copy that shares nothing that changes with another thread.
    Point apart(long place) {
      return apart(checkpoint(), place);
    }

    Point apart(Checkpoint made, long place) {
      return apart(made, place, new IdentityHashMap<>());
    }

    private Point apart(Checkpoint made, long place, Map<List<Json>, List<Json>> logs) {
      return new Point(made, packed(made.id()), cells.apart(logs), place, this);
    }

    String id() {
      return id.toString();
    }

    String run() {
      return run.toString();
    }

    Progress progress() {
      return progress;
    }

    /// The start of the ids of its tasks.
    private String scope() {
      return TaskId.of(generation.toString(), step + 1);
    }

    /// The ids of tasks that it took over from another checkpoint.
    Set<String> inheritedTasks() {
      var ids = new HashSet<String>();
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
    var parent = after == null ? null : after.parent;
    var before = parent == null ? null : found(parent);
    if (after == null || before == null) return Optional.empty();
    return Optional.of(after.cells.since(before.cells));
  }

  private @Nullable Point find(String id) {
    return points.isEmpty() ? null : found(Point.packed(id));
  }

  private @Nullable Point found(Object id) {
    if (byId != null) return byId.get(id);
    // Mostly the newest is asked for.
    for (int i = points.size() - 1; i >= 0; i--) {
      if (points.get(i).id.equals(id)) return points.get(i);
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
    var id = Point.packed(checkpoint.id());
    if (!isNewest(checkpoint.parent()) || found(id) != null) return false;
    var before = head == null ? MemoryCells.NONE : head.cells;
    for (var step : commit.parentSteps()) save(checkpoint.parent().orElseThrow(), step);
    add(new Point(checkpoint, id, before.changed(commit.changes()), sequence, head));
    for (var task : commit.tasks()) save(checkpoint.id(), task);
    for (var step : commit.steps()) save(checkpoint.id(), step);
    for (var answer : commit.answers()) answer(checkpoint.id(), List.of(answer));
    return true;
  }

  private boolean isNewest(Optional<String> parent) {
    if (parent.isEmpty()) return head == null;
    return head != null && head.id.equals(Point.packed(parent.get()));
  }

  void add(Point point) {
    put(point);
    head = point;
  }

  private void put(Point point) {
    points = with(points, point);
    var records = early.isEmpty() ? null : early.get(point.id());
    if (records != null) {
      point.records = records;
      early = new LinkedHashMap<>(early);
      early.remove(point.id());
    }
    if (byId != null) {
      byId.put(point.id, point);
    } else if (points.size() > FEW) {
      byId = new HashMap<>();
      for (var known : points) byId.put(known.id, known);
    }
  }

  private static List<Point> with(List<Point> points, Point added) {
    if (points.isEmpty()) return List.of(added);
    if (points.size() == 1) return List.of(points.getFirst(), added);
    var more = points instanceof ArrayList ? points : new ArrayList<>(points);
    more.add(added);
    return more;
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
    var point = find(checkpoint);
    return open(checkpoint).save(task, point == null ? null : point.scope());
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
    var point = find(checkpoint);
    if (point != null && point.records != null) return point.records.tasks(point.scope());
    var records = records(checkpoint);
    return records == null ? List.of() : records.tasks("");
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
    points = new ArrayList<>(points);
    points.removeIf(gone);
    for (var point : removed) {
      if (byId != null) byId.remove(point.id);
    }
    if (head != null && found(head.id) == null) {
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
    if (head != null) copy.head = copy.found(head.id);
    return copy;
  }
}
