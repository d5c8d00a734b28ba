package dev.superstep.store.jdbc;

import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.StepRecord;
import dev.superstep.json.MalformedJson;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/// The results of side effects inside tasks. Rows are only ever added.
final class StepRows {
  private StepRows() {}

  static StepRecord save(Sql sql, Lineage lineage, String checkpoint, StepRecord step)
      throws SQLException {
    long key = Lineages.findOrAdd(sql, lineage);
    int added =
        sql.update(
            """
            insert into step (lineage, checkpoint, task, key, json) values (?, ?, ?, ?, ?)
            on conflict do nothing
            """,
            key,
            checkpoint,
            step.task(),
            step.key(),
            Texts.of(step.result()));
    if (added > 0) return step;
    try {
      return sql.first(
              """
              select json, json_valid(json), task, key from step
              where lineage = ? and checkpoint = ? and task = ? and key = ?
              """,
              StepRows::step,
              key,
              checkpoint,
              step.task(),
              step.key())
          .orElseThrow();
    } catch (MalformedJson e) {
      throw Unreadable.checkpoint(lineage, checkpoint, e);
    }
  }

  static List<StepRecord> all(Sql sql, Lineage lineage, String checkpoint) throws SQLException {
    var key = Lineages.find(sql, lineage);
    if (key.isEmpty()) return List.of();
    try {
      return sql.all(
          """
          select json, json_valid(json), task, key from step
          where lineage = ? and checkpoint = ? order by id
          """,
          StepRows::step,
          key.get(),
          checkpoint);
    } catch (MalformedJson e) {
      throw Unreadable.checkpoint(lineage, checkpoint, e);
    }
  }

  private static StepRecord step(ResultSet row) throws SQLException {
    return new StepRecord(row.getString(3), row.getString(4), Texts.checked(row));
  }
}
