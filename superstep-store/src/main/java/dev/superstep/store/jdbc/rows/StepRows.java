package dev.superstep.store.jdbc.rows;

import dev.superstep.checkpoint.Lease;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.StepRecord;
import dev.superstep.json.MalformedJson;
import dev.superstep.store.jdbc.sql.Digest;
import dev.superstep.store.jdbc.sql.Sql;
import dev.superstep.store.jdbc.sql.SqlText;
import dev.superstep.store.jdbc.sql.UnreadableData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/// The results of side effects inside tasks. Rows are only ever added.
public final class StepRows {
  private static final String PUT =
      "insert into step (lineage, checkpoint, task, key, json, digest) values (?, ?, ?, ?, ?, ?)"
          + " on conflict do nothing";

  private StepRows() {}

  public static StepRecord save(Sql sql, Lease lease, CheckpointKey where, StepRecord step)
      throws SQLException {
    var threadRow = Leases.claimShared(sql, lease, where.lineage()).checkedRow();
    long lineage = Lineages.of(sql, threadRow, where.lineage());
    var arguments = arguments(lineage, where, step);
    if (sql.tryWrite(PUT, arguments)) return step;
    sql.expectCommit();
    try {
      return sql.first(
              // Gives no row if it is the one that was put.
              "select json, %s, task, key, digest from step".formatted(sql.dialect().isJson("json"))
                  + " where lineage = ? and checkpoint = ? and task = ? and key = ?"
                  + " and digest is distinct from ?",
              row -> step(row, where),
              lineage,
              where.checkpoint(),
              step.task(),
              step.key(),
              arguments.getLast())
          .orElse(step);
    } catch (MalformedJson | UnreadableData e) {
      throw UnreadableData.checkpoint(where.lineage(), where.checkpoint(), e);
    }
  }

  static void put(Sql sql, long lineage, CheckpointKey where, List<StepRecord> steps)
      throws SQLException {
    sql.batch(PUT, steps.stream().map(step -> arguments(lineage, where, step)).toList());
  }

  private static List<Object> arguments(long lineage, CheckpointKey where, StepRecord step) {
    var result = SqlText.of(step.result());
    long digest = digest(where, step.task(), step.key(), result);
    return List.of(lineage, where.checkpoint(), step.task(), step.key(), result, digest);
  }

  static long digest(CheckpointKey where, String task, String key, String result) {
    return Digest.of("step", where.lineage().namespace(), where.checkpoint(), task, key, result);
  }

  public static List<StepRecord> all(Sql sql, Lineage lineage, String checkpoint)
      throws SQLException {
    try {
      return sql.all(
          "select s.json, %s, s.task, s.key, s.digest from thread t"
                  .formatted(sql.dialect().isJson("s.json"))
              + " join lineage l on l.thread = t.id join step s on s.lineage = l.id"
              + " where t.name = ? and l.namespace = ? and s.checkpoint = ? order by s.id",
          row -> step(row, new CheckpointKey(lineage, checkpoint)),
          lineage.thread(),
          lineage.namespace(),
          checkpoint);
    } catch (MalformedJson | UnreadableData e) {
      throw UnreadableData.checkpoint(lineage, checkpoint, e);
    }
  }

  private static StepRecord step(ResultSet row, CheckpointKey where) throws SQLException {
    var task = row.getString(3);
    var key = row.getString(4);
    check(Digest.read(row, 5), digest(where, task, key, row.getString(1)), key);
    return new StepRecord(task, key, SqlText.checked(row));
  }

  static void check(Optional<Long> kept, long expected, String key) {
    Digest.check(kept, expected, "the result of its step `" + key + "`");
  }
}
