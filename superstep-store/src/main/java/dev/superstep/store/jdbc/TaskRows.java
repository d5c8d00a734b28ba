package dev.superstep.store.jdbc;

import dev.superstep.checkpoint.Entry;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.TaskRecord;
import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import dev.superstep.json.MalformedJson;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/// How the tasks of checkpoints ended.
final class TaskRows {
  private static final Codec<TaskRecord.End> END = Codec.of(TaskRecord.End.class);
  private static final String PUT =
      """
      insert into task (lineage, checkpoint, task, node, finished, "end")
      values (?, ?, ?, ?, ?, ?)
      on conflict (lineage, checkpoint, task) do update
      set node = excluded.node, finished = excluded.finished, "end" = excluded."end"
      where task.finished = 0
      """;

  private TaskRows() {}

  private record Row(String task, String node, String end) {
    static Row of(ResultSet row) throws SQLException {
      return new Row(row.getString(1), row.getString(2), row.getString(3));
    }
  }

  static TaskRecord save(
      Sql sql, Leases.Claim claim, Where where, TaskRecord task, List<Entry> journal)
      throws SQLException {
    var held = claim.held();
    long lineage = Lineages.of(sql, held, where.lineage());
    EntryRows.put(sql, held, journal);
    int changed = sql.update(PUT, arguments(lineage, where.checkpoint(), task).toArray());
    if (changed > 0) return task;
    var standing =
        sql.first(
            "select task, node, \"end\" from task"
                + " where lineage = ? and checkpoint = ? and task = ?",
            Row::of,
            lineage,
            where.checkpoint(),
            task.task());
    return record(where, standing.orElseThrow());
  }

  static void put(Sql sql, long lineage, String checkpoint, List<TaskRecord> tasks)
      throws SQLException {
    sql.batch(PUT, tasks.stream().map(task -> arguments(lineage, checkpoint, task)).toList());
  }

  private static List<Object> arguments(long lineage, String checkpoint, TaskRecord task) {
    return List.of(
        lineage,
        checkpoint,
        task.task(),
        task.node(),
        task.stands() ? 1 : 0,
        Texts.of(END.encode(task.end())));
  }

  static List<TaskRecord> all(Sql sql, Lineage lineage, String checkpoint) throws SQLException {
    var rows =
        sql.all(
            "select k.task, k.node, k.\"end\" from thread t"
                + " join lineage l on l.thread = t.id join task k on k.lineage = l.id"
                + " where t.name = ? and l.namespace = ? and k.checkpoint = ? order by k.id",
            Row::of,
            lineage.thread(),
            lineage.namespace(),
            checkpoint);
    var result = new ArrayList<TaskRecord>();
    for (var row : rows) result.add(record(new Where(lineage, checkpoint), row));
    return result;
  }

  private static TaskRecord record(Where where, Row row) {
    return record(where, row.task(), row.node(), new Json(row.end()));
  }

  static TaskRecord record(Where where, String task, String node, Json end) {
    try {
      return new TaskRecord(task, node, END.decode(end));
    } catch (MalformedJson e) {
      throw Unreadable.checkpoint(where.lineage(), where.checkpoint(), e);
    }
  }
}
