package dev.superstep.store.jdbc.rows;

import dev.superstep.checkpoint.Lease;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.Memory;
import dev.superstep.checkpoint.Prune;
import dev.superstep.checkpoint.TaskId;
import dev.superstep.store.jdbc.rows.Leases.ThreadRow;
import dev.superstep.store.jdbc.sql.RowIds;
import dev.superstep.store.jdbc.sql.Sql;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/// Deletes checkpoints of one thread, with all that hangs on them.
public final class Deletion {
  private final Sql sql;
  private final ThreadRow threadRow;
  private final String thread;
  private final Map<Long, Line> lines = new HashMap<>();
  private final List<Point> points = new ArrayList<>();
  private final Set<Point> deleted = new HashSet<>();
  private final Set<Memory> named = new HashSet<>();
  private final Set<Long> goneLines = new HashSet<>();

  private Deletion(Sql sql, ThreadRow threadRow, String thread) {
    this.sql = sql;
    this.threadRow = threadRow;
    this.thread = thread;
  }

  private record Line(long id, String namespace, long head) {
    /// Returns true if the lineage continues from one superstep to the next.
    boolean lasts() {
      return namespace.isEmpty() || new Lineage("any", namespace).isRemembered();
    }
  }

  /// A checkpoint's keys and times, without its content.
  private record Point(
      long seq,
      long line,
      String id,
      String scope,
      Instant at,
      String run,
      List<String> inheritedTasks,
      Collection<Memory> names) {
    static Point of(ResultSet row) throws SQLException {
      return new Point(
          row.getLong(1),
          row.getLong(2),
          row.getString(3),
          TaskId.of(row.getString(9), row.getInt(10) + 1),
          Instant.parse(row.getString(4)),
          row.getString(5),
          CheckpointRows.inheritedTasks(row.getString(6)),
          CheckpointRows.memories(row.getInt(7), row.getString(8)).left().values());
    }
  }

  // --- What is asked for ---

  public static boolean delete(Sql sql, Lease lease) throws SQLException {
    var threadRow = Leases.lock(sql, lease, 0);
    Families.lock(sql, threadRow.family());
    lineages(sql, all(sql, threadRow.thread()));
    sql.update("delete from run where thread = ?", threadRow.thread());
    sql.update("delete from entry where thread = ?", threadRow.thread());
    sql.update("delete from thread where id = ?", threadRow.thread());
    Families.sweep(sql, threadRow.family(), threadRow.thread());
    return true;
  }

  public static int run(Sql sql, Lease lease, String run, Set<Memory> needed) throws SQLException {
    var removal = open(sql, lease);
    removal.remove(point -> !point.run().equals(run), needed);
    int own = (int) removal.deleted.stream().filter(removal::isOwn).count();
    removal.removeInside();
    removal.removeEmptyLines();
    sql.update("delete from entry where thread = ? and run = ?", removal.threadRow.thread(), run);
    removal.write();
    return own;
  }

  public static int prune(Sql sql, Lease lease, Prune prune) throws SQLException {
    var removal = open(sql, lease);
    var stays = removal.staying(prune.keep());
    removal.remove(
        point -> stays.contains(point) || !prune.before().map(point.at()::isBefore).orElse(true),
        prune.needed());
    removal.removeInside();
    removal.write();
    return removal.deleted.size();
  }

  private static Deletion open(Sql sql, Lease lease) throws SQLException {
    var threadRow = Leases.lock(sql, lease, 0);
    Families.lock(sql, threadRow.family());
    var removal = new Deletion(sql, threadRow, lease.thread());
    removal.read();
    return removal;
  }

  // --- Which go ---

  private void read() throws SQLException {
    var all =
        sql.all(
            "select id, namespace, head from lineage where thread = ?",
            row -> new Line(row.getLong(1), row.getString(2), row.getLong(3)),
            threadRow.thread());
    for (var line : all) lines.put(line.id(), line);
    points.addAll(
        sql.all(
            "select c.seq, c.lineage, c.id, c.at, r.name, c.taken_over, c.format, c.memories,"
                + " coalesce(c.generation, c.id), c.step from lineage l"
                + " join checkpoint c on c.lineage = l.id join run r on r.id = c.run"
                + " where l.thread = ? order by c.seq desc",
            Point::of,
            threadRow.thread()));
  }

  private boolean isOwn(Point point) {
    var line = lines.get(point.line());
    return line != null && line.namespace().isEmpty();
  }

  /// The newest of each line, so many of those added last, and all of graphs that do not last.
  private Set<Point> staying(int keep) {
    var stays = new HashSet<Point>();
    var seen = new HashMap<Long, Integer>();
    for (var point : points) {
      var line = lines.get(point.line());
      boolean isOld = seen.merge(point.line(), 1, Integer::sum) > keep;
      if (line == null || !isOld || point.seq() == line.head() || !line.lasts()) stays.add(point);
    }
    return stays;
  }

  private void remove(Predicate<Point> which) {
    points.removeIf(point -> which.test(point) && deleted.add(point));
  }

  /// Removes all checkpoints but some, and but the memories that those name.
  private void remove(Predicate<Point> stays, Set<Memory> needed) {
    var byName = new HashMap<Memory, Point>();
    var open = new ArrayDeque<>(needed);
    for (var point : points) {
      byName.put(memory(point), point);
      if (stays.test(point)) open.addAll(point.names());
    }
    while (!open.isEmpty()) {
      var memory = open.remove();
      var point = byName.get(memory);
      if (named.add(memory) && point != null) open.addAll(point.names());
    }
    remove(point -> !stays.test(point) && !named.contains(memory(point)));
  }

  private Memory memory(Point point) {
    var line = lines.get(point.line());
    return new Memory(line == null ? "" : line.namespace(), point.id());
  }

  /// Removes the lineages of subgraphs inside tasks of deleted checkpoints, unless a remaining
  /// checkpoint has the task, too, or names the memory that it left.
  private void removeInside() {
    var remembered = named.stream().map(Memory::namespace).collect(Collectors.toSet());
    boolean isMore = true;
    while (isMore) {
      var left = Tasks.of(points);
      var ended = Tasks.of(deleted);
      var inside = new HashSet<Long>();
      for (var line : lines.values()) {
        boolean isOrphan = ended.have(line.namespace()) && !left.have(line.namespace());
        if (isOrphan && !remembered.contains(line.namespace())) inside.add(line.id());
      }
      remove(point -> inside.contains(point.line()));
      isMore = goneLines.addAll(inside);
    }
  }

  /// The tasks that run from some checkpoints.
  private record Tasks(Set<String> scopes, Set<String> inheritedTasks) {
    static Tasks of(Collection<Point> points) {
      var tasks = new Tasks(new HashSet<>(), new HashSet<>());
      for (var point : points) {
        tasks.scopes().add(point.scope());
        tasks.inheritedTasks().addAll(point.inheritedTasks());
      }
      return tasks;
    }

    /// Returns true if the namespace belongs to a graph inside one of these tasks.
    boolean have(String name) {
      var namespace = new Lineage("any", name).owner();
      for (var task : inheritedTasks) {
        if (namespace.equals(task) || namespace.startsWith(task + "@")) return true;
      }
      for (int i = namespace.indexOf('/'); i >= 0; i = namespace.indexOf('/', i + 1)) {
        if (scopes.contains(namespace.substring(0, i))) return true;
      }
      return false;
    }
  }

  private void removeEmptyLines() {
    var used = points.stream().map(Point::line).collect(Collectors.toSet());
    for (var id : lines.keySet()) if (!used.contains(id)) goneLines.add(id);
  }

  // --- Deleting them ---

  private void write() throws SQLException {
    if (deleted.isEmpty() && goneLines.isEmpty()) return;
    lineages(sql, goneLines);
    var rows = new ArrayList<List<Object>>();
    for (var point : deleted) {
      if (!goneLines.contains(point.line())) rows.add(List.of(point.line(), point.id()));
    }
    for (var table : List.of("task", "step", "answer")) {
      sql.batch("delete from %s where lineage = ? and checkpoint = ?".formatted(table), rows);
    }
    sql.batch("delete from checkpoint where lineage = ? and id = ?", rows);
    moveHeads();
    runs(sql, threadRow.thread());
    Families.sweep(sql, threadRow.family(), threadRow.thread());
  }

  private void moveHeads() throws SQLException {
    var newest = new HashMap<Long, Point>();
    for (var point : points) newest.putIfAbsent(point.line(), point);
    var lost = deleted.stream().map(Point::seq).collect(Collectors.toSet());
    var heads = new ArrayList<List<Object>>();
    newest.forEach((line, point) -> {
      var kept = lines.get(line);
      if (kept == null || !lost.contains(kept.head())) return;
      long digest = Lineages.digest(new Lineage(thread, kept.namespace()), point.id());
      heads.add(List.of(point.seq(), digest, line));
    });
    sql.batch("update lineage set head = ?, digest = ? where id = ?", heads);
  }

  /// The lineages of a thread.
  static List<Long> all(Sql sql, long thread) throws SQLException {
    return sql.all("select id from lineage where thread = ?", row -> row.getLong(1), thread);
  }

  /// Deletes lineages, but not the values that they refer to.
  static void lineages(Sql sql, Collection<Long> lineages) throws SQLException {
    for (var table : List.of("task", "step", "answer", "rewind", "checkpoint")) {
      sql.batch("delete from %s where lineage = ?".formatted(table), RowIds.each(lineages));
    }
    sql.batch("delete from lineage where id = ?", RowIds.each(lineages));
  }

  /// Deletes the runs of a thread that have no checkpoint any more.
  static void runs(Sql sql, long thread) throws SQLException {
    sql.update(
        "delete from run where thread = ? and id not in"
            + " (select c.run from lineage l join checkpoint c on c.lineage = l.id"
            + " where l.thread = ?)",
        thread,
        thread);
  }
}
