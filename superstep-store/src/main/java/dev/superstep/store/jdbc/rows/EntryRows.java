package dev.superstep.store.jdbc.rows;

import dev.superstep.checkpoint.Entry;
import dev.superstep.checkpoint.EntryFilter;
import dev.superstep.checkpoint.Lease;
import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import dev.superstep.json.MalformedJson;
import dev.superstep.store.jdbc.rows.Leases.ThreadRow;
import dev.superstep.store.jdbc.sql.Digest;
import dev.superstep.store.jdbc.sql.Sql;
import dev.superstep.store.jdbc.sql.SqlText;
import dev.superstep.store.jdbc.sql.UnreadableData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// The journals of threads.
///
/// Offsets are given by the row of the thread, which its writer keeps locked until its transaction
/// ends. So a smaller offset is never seen after a larger one; a sequence of the database would not
/// promise that.
public final class EntryRows {
  private static final Codec<List<String>> PATH = Codec.listOf(String.class);

  private EntryRows() {}

  public static int append(Sql sql, Lease lease, List<Entry> entries) throws SQLException {
    put(sql, Leases.lock(sql, lease, entries.size()), entries);
    return entries.size();
  }

  /// Writes the entries at the offsets that were reserved for them.
  static void put(Sql sql, ThreadRow threadRow, List<Entry> entries) throws SQLException {
    var rows = new ArrayList<List<Object>>();
    long before = threadRow.lastOffset() - entries.size();
    for (var entry : entries) {
      var row = new ArrayList<Object>();
      row.add(threadRow.thread());
      row.add(before + rows.size() + 1);
      row.add(entry.at().toString());
      row.add(entry.run());
      row.add(entry.graph());
      row.add(path(entry.path()));
      row.add(entry.node());
      row.add(entry.kind());
      row.add(SqlText.of(entry.event()));
      row.add(digest(row));
      rows.add(row);
    }
    sql.batch(
        """
        insert into entry (thread, "offset", at, run, graph, path, node, kind, json, digest)
        values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
        rows);
  }

  /// @param columns in the order of the table
  private static long digest(List<Object> columns) {
    return Digest.of("entry", columns.toArray());
  }

  public static List<Entry> read(Sql sql, String thread, long after, int limit, EntryFilter filter)
      throws SQLException {
    var query = new StringBuilder();
    query.append(
        """
        select e.json, %s, e.thread, e."offset", e.at, e.run, e.graph, e.path, e.node, e.kind,
          e.digest
        from thread t join entry e on e.thread = t.id where t.name = ? and e."offset" > ?
        """
            .formatted(sql.dialect().isJson("e.json")));
    var arguments = new ArrayList<Object>(List.of(thread, after));
    in("e.run", filter.runs(), query, arguments);
    in("e.graph", filter.graphs(), query, arguments);
    in("e.node", filter.nodes(), query, arguments);
    in("e.kind", filter.kinds(), query, arguments);
    if (!filter.path().isEmpty()) under(filter.path(), query, arguments);
    query.append(" order by e.\"offset\" limit ?");
    arguments.add(limit);
    return sql.all(query.toString(), row -> entry(row, thread), arguments.toArray());
  }

  private static void in(
      String column, Set<String> wanted, StringBuilder query, List<Object> arguments) {
    if (wanted.isEmpty()) return;
    query.append(" and ").append(column).append(" in ").append(Sql.places(wanted.size()));
    arguments.addAll(wanted);
  }

  /// A path begins with another one if its JSON begins with that of the other, but for the end.
  private static void under(List<String> path, StringBuilder query, List<Object> arguments) {
    var text = path(path);
    var beginning = text.substring(0, text.length() - 1) + ",";
    query.append(" and (e.path = ? or substr(e.path, 1, ?) = ?)");
    arguments.addAll(List.of(text, beginning.codePointCount(0, beginning.length()), beginning));
  }

  private static String path(List<String> nodes) {
    return SqlText.of(PATH.encode(nodes));
  }

  private static Entry entry(ResultSet row, String thread) throws SQLException {
    long offset = row.getLong(4);
    try {
      var columns = new ArrayList<Object>(List.of(row.getLong(3), offset));
      for (int i = 5; i <= 10; i++) columns.add(row.getString(i));
      columns.add(row.getString(1));
      Digest.check(Digest.read(row, 11), digest(columns), "it");
      return new Entry(
          offset,
          Instant.parse(row.getString(5)),
          row.getString(6),
          row.getString(7),
          PATH.decode(Json.unchecked(row.getString(8))),
          row.getString(9),
          row.getString(10),
          SqlText.checked(row));
    } catch (MalformedJson | DateTimeException | UnreadableData e) {
      throw UnreadableData.entry(thread, offset, e);
    }
  }

  public static long last(Sql sql, String thread) throws SQLException {
    return sql.first("select last_offset from thread where name = ?", row -> row.getLong(1), thread)
        .orElse(0L);
  }

  public static int trim(Sql sql, Lease lease, long through) throws SQLException {
    var threadRow = Leases.lock(sql, lease, 0);
    return sql.update(
        "delete from entry where thread = ? and \"offset\" <= ?", threadRow.thread(), through);
  }
}
