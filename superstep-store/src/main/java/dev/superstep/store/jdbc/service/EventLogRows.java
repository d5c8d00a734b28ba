package dev.superstep.store.jdbc.service;

import dev.superstep.json.Json;
import dev.superstep.service.LogEntry;
import dev.superstep.store.jdbc.sql.Sql;
import dev.superstep.store.jdbc.sql.SqlText;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/// The rows of logs. Who adds to a log has the row of its head until the end of the transaction, so
/// nobody sees an entry before all those that come before it.
final class EventLogRows {
  private static final String HEAD =
      "insert into service_log as l (name, last) values (?, ?) on conflict (name)"
          + " do update set last = l.last + excluded.last returning id, last";

  private EventLogRows() {}

  static long append(Sql sql, String log, List<Json> entries) throws SQLException {
    var texts = entries.stream().map(SqlText::of).toList();
    return sql.dialect().isRemote() ? appendAtOnce(sql, log, texts) : appendEach(sql, log, texts);
  }

  private static long appendAtOnce(Sql sql, String log, List<String> texts) throws SQLException {
    var statement =
        """
        with head as (%s), added as (
          insert into service_log_entry (log, number, value)
          select head.id, head.last - ? + e.place, e.value
          from head, unnest(cast(? as text[])) with ordinality as e (value, place))
        select last from head
        """
            .formatted(HEAD);
    long many = texts.size();
    return sql.insert(statement, log, many, many, DocumentCondition.array(texts));
  }

  private static long appendEach(Sql sql, String log, List<String> texts) throws SQLException {
    long many = texts.size();
    var head = sql.first(HEAD, EventLogRows::head, log, many).orElseThrow();
    var rows = new ArrayList<List<Object>>();
    for (int i = 0; i < texts.size(); i++) {
      rows.add(List.of(head.id(), head.last() - many + 1 + i, texts.get(i)));
    }
    sql.batch("insert into service_log_entry (log, number, value) values (?, ?, ?)", rows);
    return head.last();
  }

  private record Head(long id, long last) {}

  private static Head head(ResultSet row) throws SQLException {
    return new Head(row.getLong(1), row.getLong(2));
  }

  static List<LogEntry> entries(Sql sql, String log, long after, int limit) throws SQLException {
    return sql.all(
        "select number, value from service_log_entry"
            + " where log = (select id from service_log where name = ?) and number > ?"
            + " order by number limit ?",
        row -> new LogEntry(row.getLong(1), Json.unchecked(row.getString(2))),
        log,
        after,
        (long) limit);
  }

  static long lastOffset(Sql sql, String log) throws SQLException {
    return sql.first("select last from service_log where name = ?", row -> row.getLong(1), log)
        .orElse(0L);
  }

  static void trim(Sql sql, String log, long through) throws SQLException {
    sql.write(
        "delete from service_log_entry"
            + " where log = (select id from service_log where name = ?) and number <= ?",
        log,
        through);
  }

  static void delete(Sql sql, String log) throws SQLException {
    // First, so that what others are adding is seen.
    var id =
        sql.first(
            "delete from service_log where name = ? returning id", row -> row.getLong(1), log);
    if (id.isEmpty()) return;
    sql.write("delete from service_log_entry where log = ?", id.get());
  }
}
