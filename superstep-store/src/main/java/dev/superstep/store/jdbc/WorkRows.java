package dev.superstep.store.jdbc;

import dev.superstep.checkpoint.Answer;
import dev.superstep.checkpoint.Saved;
import dev.superstep.checkpoint.Standing;
import dev.superstep.checkpoint.StepRecord;
import dev.superstep.checkpoint.TaskRecord;
import dev.superstep.json.Json;
import dev.superstep.json.MalformedJson;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;

/// All that is kept of the tasks of one checkpoint, with one query.
final class WorkRows {
  private static final int TASK = 0;
  private static final int STEP = 1;
  private static final String OF_SQLITE = query(Dialect.SQLITE);
  private static final String OF_POSTGRES = query(Dialect.POSTGRES);

  private WorkRows() {}

  private record Row(int kind, String first, String second, Json json) {
    static Row of(ResultSet row) throws SQLException {
      int kind = row.getInt(3);
      // The end of a task is decoded anyhow, and so found out if it is none.
      var json = kind == TASK ? new Json(row.getString(1)) : Texts.checked(row);
      return new Row(kind, row.getString(5), row.getString(6), json);
    }
  }

  static Standing standing(Sql sql, long lineage, Where where, Saved latest) throws SQLException {
    try {
      return standing(sql.all(query(sql), Row::of, arguments(lineage, where)), where, latest);
    } catch (MalformedJson e) {
      throw Unreadable.checkpoint(where.lineage(), where.checkpoint(), e);
    }
  }

  private static String query(Sql sql) {
    return sql.dialect().isRemote() ? OF_POSTGRES : OF_SQLITE;
  }

  private static String query(Dialect dialect) {
    return """
    select "end", true, 0, id, task, node from task where lineage = ? and checkpoint = ?
    union all select json, %1$s, 1, id, task, key from step
      where lineage = ? and checkpoint = ?
    union all select json, %1$s, 2, id, interrupt, '' from answer
      where lineage = ? and checkpoint = ?
    order by 3, 4
    """
        .formatted(dialect.isJson("json"));
  }

  private static Object[] arguments(long lineage, Where where) {
    var id = where.checkpoint();
    return new Object[] {lineage, id, lineage, id, lineage, id};
  }

  private static Standing standing(Iterable<Row> rows, Where where, Saved latest) {
    var tasks = new ArrayList<TaskRecord>();
    var steps = new ArrayList<StepRecord>();
    var answers = new ArrayList<Answer>();
    for (var row : rows) {
      switch (row.kind()) {
        case TASK -> tasks.add(TaskRows.record(where, row.first(), row.second(), row.json()));
        case STEP -> steps.add(new StepRecord(row.first(), row.second(), row.json()));
        default -> answers.add(new Answer(row.first(), row.json()));
      }
    }
    return new Standing(latest, tasks, steps, answers);
  }
}
