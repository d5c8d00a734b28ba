package dev.superstep.store.jdbc.rows;

import dev.superstep.checkpoint.Entry;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.TaskRecord;
import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import dev.superstep.json.MalformedJson;
import dev.superstep.store.jdbc.sql.Digest;
import dev.superstep.store.jdbc.sql.Sql;
import dev.superstep.store.jdbc.sql.SqlText;
import dev.superstep.store.jdbc.sql.UnreadableData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The rows that say how tasks of checkpoints ended.
public final class TaskRows {
  private static final Codec<TaskRecord.End> END = Codec.of(TaskRecord.End.class);
  private static final String PUT =
      """
      insert into task (lineage, checkpoint, task, node, finished, "end", digest)
      values (?, ?, ?, ?, ?, ?, ?)
      on conflict (lineage, checkpoint, task) do update
      set node = excluded.node, finished = excluded.finished, "end" = excluded."end",
        digest = excluded.digest
      where task.finished = 0
      """;

  // Gives no row if it is the one that was put.
  private static final String FIND =
      "select task, node, \"end\", finished, digest from task"
          + " where lineage = ? and checkpoint = ? and task = ? and digest is distinct from ?";

  private TaskRows() {}

  /// A task's row as read, before it is verified.
  record Row(String task, String node, String end, int finished, Optional<Long> digest) {
    static Row of(ResultSet row) throws SQLException {
      return new Row(
          row.getString(1), row.getString(2), row.getString(3), row.getInt(4), Digest.read(row, 5));
    }

    long digest(CheckpointKey where) {
      return Digest.of(
          "task", where.lineage().namespace(), where.checkpoint(), task, node, finished, end);
    }
  }

  public static TaskRecord save(
      Sql sql, Leases.Claim claim, CheckpointKey where, TaskRecord task, List<Entry> journal)
      throws SQLException {
    var threadRow = claim.checkedRow();
    long lineage = Lineages.of(sql, threadRow, where.lineage());
    EntryRows.put(sql, threadRow, journal);
    var arguments = arguments(lineage, where, task);
    if (sql.tryWrite(PUT, arguments)) return task;
    sql.expectCommit();
    return sql.first(FIND, Row::of, lineage, where.checkpoint(), task.task(), arguments.getLast())
        .map(standing -> record(where, standing))
        .orElse(task);
  }

  static void put(Sql sql, long lineage, CheckpointKey where, List<TaskRecord> tasks)
      throws SQLException {
    sql.batch(PUT, tasks.stream().map(task -> arguments(lineage, where, task)).toList());
  }

  private static List<Object> arguments(long lineage, CheckpointKey where, TaskRecord task) {
    var end = SqlText.of(END.encode(task.end()));
    var row = new Row(task.task(), task.node(), end, task.isFinal() ? 1 : 0, Optional.empty());
    return List.of(
        lineage,
        where.checkpoint(),
        row.task(),
        row.node(),
        row.finished(),
        row.end(),
        row.digest(where));
  }

  public static List<TaskRecord> all(Sql sql, Lineage lineage, String checkpoint)
      throws SQLException {
    var rows =
        sql.all(
            "select k.task, k.node, k.\"end\", k.finished, k.digest from thread t"
                + " join lineage l on l.thread = t.id join task k on k.lineage = l.id"
                + " where t.name = ? and l.namespace = ? and k.checkpoint = ? order by k.id",
            Row::of,
            lineage.thread(),
            lineage.namespace(),
            checkpoint);
    var result = new ArrayList<TaskRecord>();
    for (var row : rows) result.add(record(new CheckpointKey(lineage, checkpoint), row));
    return result;
  }

  static TaskRecord record(CheckpointKey where, Row row) {
    try {
      Digest.check(row.digest(), row.digest(where), "the end of its task `" + row.task() + "`");
      return new TaskRecord(row.task(), row.node(), END.decode(Json.unchecked(row.end())));
    } catch (MalformedJson | UnreadableData e) {
      throw UnreadableData.checkpoint(where.lineage(), where.checkpoint(), e);
    }
  }
}
