package dev.superstep.store.jdbc.rows;

import dev.superstep.store.jdbc.sql.ChannelRefs;
import dev.superstep.store.jdbc.sql.ChannelRefs.Place;
import dev.superstep.store.jdbc.sql.RowIds;
import dev.superstep.store.jdbc.sql.Sql;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// Families of threads that may share values and logs, because one was forked or copied from
/// another. Values belong to the family; after checkpoints were deleted, a sweep removes values
/// that nothing in the family refers to. See docs/decisions/0030.
final class Families {
  private Families() {}

  /// Keeps others from sweeping until the transaction ends.
  ///
  /// @return false if the family is gone
  static boolean share(Sql sql, long family) throws SQLException {
    return exists(sql, family, sql.dialect().shared());
  }

  /// Keeps others from sweeping, and from making forks and copies, until the transaction ends.
  static void lock(Sql sql, long family) throws SQLException {
    exists(sql, family, sql.dialect().locked());
  }

  private static boolean exists(Sql sql, long family, String lock) throws SQLException {
    // Who asks has just seen a thread of it.
    if (!sql.dialect().hasLocks()) return true;
    var query = "select id from family where id = ?" + lock;
    return sql.first(query, row -> row.getLong(1), family).isPresent();
  }

  /// Lets a thread that has nothing join the family of another one.
  static void join(Sql sql, Leases.ThreadRow thread, long family) throws SQLException {
    if (thread.family() == family) return;
    Blobs.share(sql, thread.family(), family);
    sql.update("update thread set family = ? where id = ?", family, thread.thread());
    removeIfEmpty(sql, thread.family());
  }

  static void removeIfEmpty(Sql sql, long family) throws SQLException {
    // What was saved ahead of a checkpoint that was never made.
    sql.update(
        "delete from blob where family = ? and not exists (select 1 from thread where family = ?)",
        family,
        family);
    if (!sql.dialect().hasLocks()) return;
    sql.update(
        "delete from family where id = ? and not exists (select 1 from thread where family = ?)",
        family,
        family);
  }

  /// Deletes what no checkpoint of the family refers to. The family must be locked.
  ///
  /// @param thread whose writer this is
  static void sweep(Sql sql, long family, long thread) throws SQLException {
    var isShared =
        sql.first("select 1 from thread where family = ? limit 1", row -> 1, family).isPresent();
    if (isShared) new Sweep(sql, family, thread).run();
    else removeAll(sql, family);
  }

  private static void removeAll(Sql sql, long family) throws SQLException {
    sql.update("delete from log_item where log in (select id from log where family = ?)", family);
    sql.update("delete from log where family = ?", family);
    sql.update("delete from value where family = ?", family);
    Blobs.removeAll(sql, family);
    removeIfEmpty(sql, family);
  }

  /// A sweep of one family.
  private static final class Sweep {
    private final Sql sql;
    private final long family;
    private final long thread;
    private final Map<Long, Log> logs = new HashMap<>();
    private final Set<Long> values = new HashSet<>();
    // How many items of a log are needed.
    private final Map<Long, Integer> needed = new HashMap<>();

    Sweep(Sql sql, long family, long thread) {
      this.sql = sql;
      this.family = family;
      this.thread = thread;
    }

    /// @param isOwn whether no other thread adds to it
    private record Log(long id, Optional<Long> base, int baseLength, boolean isOwn) {
      static Log of(ResultSet row) throws SQLException {
        long id = row.getLong(1);
        int length = row.getInt(2);
        boolean isOwn = row.getInt(3) != 0;
        long base = row.getLong(4);
        return new Log(id, row.wasNull() ? Optional.empty() : Optional.of(base), length, isOwn);
      }
    }

    void run() throws SQLException {
      // Before the references to it: what others add in between is not here, so it stays.
      readContent();
      readReferences();
      sql.batch("delete from value where id = ?", RowIds.each(values));
      var gone = logs.keySet().stream().filter(log -> !needed.containsKey(log)).toList();
      sql.batch("delete from log_item where log = ?", RowIds.each(gone));
      sql.batch("delete from log where id = ?", RowIds.each(gone));
      cutEnds();
      Blobs.sweep(sql, family);
    }

    private void readContent() throws SQLException {
      values.addAll(
          sql.all("select id from value where family = ?", row -> row.getLong(1), family));
      var all =
          sql.all(
              """
              select g.id, g.base_length,
                case when l.thread is null or l.thread = ? then 1 else 0 end, g.base
              from log g left join lineage l on l.id = g.lineage where g.family = ?
              """,
              Log::of,
              thread,
              family);
      for (var log : all) logs.put(log.id(), log);
    }

    private void readReferences() throws SQLException {
      var all =
          sql.all(
              "select c.channels from thread t join lineage l on l.thread = t.id"
                  + " join checkpoint c on c.lineage = l.id where t.family = ?",
              row -> row.getString(1),
              family);
      var lengths = new HashMap<Long, NavigableSet<Integer>>();
      for (var channels : all) {
        var many = RefLog.header(channels);
        if (many.isEmpty()) {
          need(ChannelRefs.parse(channels).refs());
        } else {
          need(many.get().log(), many.get().length());
          lengths.computeIfAbsent(many.get().log(), _ -> new TreeSet<>()).add(many.get().length());
        }
      }
      for (var log : lengths.entrySet()) readLog(log.getKey(), log.getValue());
    }

    /// Needs what those checkpoints refer to whose references are the first so many items of a log.
    private void readLog(long log, NavigableSet<Integer> lengths) throws SQLException {
      var items = ListLogs.read(sql, new Place.Prefix(log, lengths.last()));
      var first = lengths.first();
      need(RefLog.folded(items.subList(0, first)));
      // All that differs from there on, up to each of them.
      int from = first;
      for (int to : lengths.tailSet(first, false)) {
        need(RefLog.folded(items.subList(from, to)));
        from = to;
      }
    }

    private void need(Map<Long, ChannelRefs.Ref> refs) {
      for (var ref : refs.values()) {
        switch (ref.place()) {
          case Place.Value(var id) -> values.remove(id);
          case Place.Prefix(var log, var length) -> need(log, length);
          case Place.Small _, Place.Cleared _ -> {}
        }
      }
    }

    /// A log needs those on which it is based, too.
    private void need(long log, int length) {
      long at = log;
      int many = length;
      while (needed.getOrDefault(at, -1) < many) {
        needed.put(at, many);
        var kept = logs.get(at);
        if (kept == null || kept.base().isEmpty()) return;
        many = Math.min(many, kept.baseLength());
        at = kept.base().get();
      }
    }

    /// Another thread may be adding to a log of its own just now, so the end of that is left alone.
    private void cutEnds() throws SQLException {
      var cuts = new ArrayList<List<Object>>();
      needed.forEach((log, length) -> {
        var kept = logs.get(log);
        if (kept != null && kept.isOwn()) cuts.add(List.of(log, length));
      });
      sql.batch("delete from log_item where log = ? and idx >= ?", cuts);
    }
  }
}
