package dev.superstep.store.jdbc;

import dev.superstep.checkpoint.Lease;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.StepRecord;
import dev.superstep.json.MalformedJson;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/// The results of side effects inside tasks. Rows are only ever added.
final class StepRows {
  private static final String PUT =
      "insert into step (lineage, checkpoint, task, key, json) values (?, ?, ?, ?, ?)"
          + " on conflict do nothing";

  private StepRows() {}

  static StepRecord save(Sql sql, Lease lease, Where where, StepRecord step) throws SQLException {
    var held = Leases.sharing(sql, lease, where.lineage()).held();
    long lineage = Lineages.of(sql, held, where.lineage());
    int added = sql.update(PUT, arguments(lineage, where.checkpoint(), step).toArray());
    if (added > 0) return step;
    try {
      return sql.first(
              "select json, %s, task, key from step".formatted(sql.dialect().isJson("json"))
                  + " where lineage = ? and checkpoint = ? and task = ? and key = ?",
              StepRows::step,
              lineage,
              where.checkpoint(),
              step.task(),
              step.key())
          .orElseThrow();
    } catch (MalformedJson e) {
      throw Unreadable.checkpoint(where.lineage(), where.checkpoint(), e);
    }
  }

  static void put(Sql sql, long lineage, String checkpoint, List<StepRecord> steps)
      throws SQLException {
    sql.batch(PUT, steps.stream().map(step -> arguments(lineage, checkpoint, step)).toList());
  }

  private static List<Object> arguments(long lineage, String checkpoint, StepRecord step) {
    return List.of(lineage, checkpoint, step.task(), step.key(), Texts.of(step.result()));
  }

  static List<StepRecord> all(Sql sql, Lineage lineage, String checkpoint) throws SQLException {
    try {
      return sql.all(
          "select s.json, %s, s.task, s.key from thread t".formatted(sql.dialect().isJson("s.json"))
              + " join lineage l on l.thread = t.id join step s on s.lineage = l.id"
              + " where t.name = ? and l.namespace = ? and s.checkpoint = ? order by s.id",
          StepRows::step,
          lineage.thread(),
          lineage.namespace(),
          checkpoint);
    } catch (MalformedJson e) {
      throw Unreadable.checkpoint(lineage, checkpoint, e);
    }
  }

  private static StepRecord step(ResultSet row) throws SQLException {
    return new StepRecord(row.getString(3), row.getString(4), Texts.checked(row));
  }
}
