package dev.superstep.store.jdbc.rows;

import dev.superstep.checkpoint.Answer;
import dev.superstep.checkpoint.Saved;
import dev.superstep.checkpoint.StepRecord;
import dev.superstep.checkpoint.TaskRecord;
import dev.superstep.checkpoint.ThreadRecord;
import dev.superstep.json.Json;
import dev.superstep.json.MalformedJson;
import dev.superstep.store.jdbc.sql.Dialect;
import dev.superstep.store.jdbc.sql.Digest;
import dev.superstep.store.jdbc.sql.PendingResult;
import dev.superstep.store.jdbc.sql.Sql;
import dev.superstep.store.jdbc.sql.SqlText;
import dev.superstep.store.jdbc.sql.UnreadableData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Optional;

/// Reads all records of the tasks of one checkpoint with one query.
final class ThreadRecordRows {
  private static final int TASK = 0;
  private static final int STEP = 1;
  private static final String OF_SQLITE = query(Dialect.SQLITE);
  private static final String OF_POSTGRES = query(Dialect.POSTGRES);

  private ThreadRecordRows() {}

  private record Row(
      int kind,
      String first,
      String second,
      String text,
      Json json,
      int finished,
      Optional<Long> digest) {
    static Row of(ResultSet row) throws SQLException {
      int kind = row.getInt(3);
      // The end of a task is decoded anyhow, and so found out if it is none.
      var text = row.getString(1);
      return new Row(
          kind,
          row.getString(5),
          row.getString(6),
          text,
          kind == TASK ? Json.unchecked(text) : SqlText.checked(row),
          row.getInt(7),
          Digest.read(row, 8));
    }

    TaskRecord task(CheckpointKey where) {
      var row = new TaskRows.Row(first, second, text, finished, digest);
      return TaskRows.record(where, row);
    }

    StepRecord step(CheckpointKey where) {
      StepRows.check(digest, StepRows.digest(where, first, second, text), second);
      return new StepRecord(first, second, json);
    }

    Answer answer(CheckpointKey where) {
      AnswerRows.check(digest, AnswerRows.digest(where, first, text), first);
      return new Answer(first, json);
    }
  }

  /// The records of a checkpoint's tasks, which may be under way.
  record Records(CheckpointKey where, PendingResult<Row> rows) {
    ThreadRecord threadRecord(Saved latest) throws SQLException {
      try {
        return read(rows.all(), where, latest);
      } catch (MalformedJson | UnreadableData e) {
        throw UnreadableData.checkpoint(where.lineage(), where.checkpoint(), e);
      }
    }
  }

  static Records read(Sql sql, long lineage, CheckpointKey where) throws SQLException {
    return new Records(where, sql.prefetch(query(sql), Row::of, arguments(lineage, where)));
  }

  private static String query(Sql sql) {
    return sql.dialect().isRemote() ? OF_POSTGRES : OF_SQLITE;
  }

  private static String query(Dialect dialect) {
    return """
    select "end", true, 0, id, task, node, finished, digest from task
      where lineage = ? and checkpoint = ?
    union all select json, %1$s, 1, id, task, key, 0, digest from step
      where lineage = ? and checkpoint = ?
    union all select json, %1$s, 2, id, interrupt, '', 0, digest from answer
      where lineage = ? and checkpoint = ?
    order by 3, 4
    """
        .formatted(dialect.isJson("json"));
  }

  private static Object[] arguments(long lineage, CheckpointKey where) {
    var id = where.checkpoint();
    return new Object[] {lineage, id, lineage, id, lineage, id};
  }

  private static ThreadRecord read(Iterable<Row> rows, CheckpointKey where, Saved latest) {
    var tasks = new ArrayList<TaskRecord>();
    var steps = new ArrayList<StepRecord>();
    var answers = new ArrayList<Answer>();
    for (var row : rows) {
      switch (row.kind()) {
        case TASK -> tasks.add(row.task(where));
        case STEP -> steps.add(row.step(where));
        default -> answers.add(row.answer(where));
      }
    }
    return new ThreadRecord(latest, tasks, steps, answers);
  }
}
