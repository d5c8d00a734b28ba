package dev.superstep.store.jdbc;

import dev.superstep.checkpoint.Answer;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.TaskRecord;
import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import dev.superstep.json.MalformedJson;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/// How the tasks of checkpoints ended, and the answers they got.
final class TaskRows {
  private static final Codec<TaskRecord.End> END = Codec.of(TaskRecord.End.class);

  private TaskRows() {}

  private record Row(String task, String node, String end) {}

  static TaskRecord save(Sql sql, Lineage lineage, String checkpoint, TaskRecord task)
      throws SQLException {
    long key = Lineages.findOrAdd(sql, lineage);
    int changed =
        sql.update(
            """
            insert into task (lineage, checkpoint, task, node, finished, "end")
            values (?, ?, ?, ?, ?, ?)
            on conflict (lineage, checkpoint, task) do update
            set node = excluded.node, finished = excluded.finished, "end" = excluded."end"
            where finished = 0
            """,
            key,
            checkpoint,
            task.task(),
            task.node(),
            task.stands() ? 1 : 0,
            Texts.of(END.encode(task.end())));
    if (changed > 0) return task;
    var standing =
        sql.first(
            """
            select task, node, "end" from task
            where lineage = ? and checkpoint = ? and task = ?
            """,
            row -> new Row(row.getString(1), row.getString(2), row.getString(3)),
            key,
            checkpoint,
            task.task());
    return record(lineage, checkpoint, standing.orElseThrow());
  }

  static List<TaskRecord> all(Sql sql, Lineage lineage, String checkpoint) throws SQLException {
    var key = Lineages.find(sql, lineage);
    if (key.isEmpty()) return List.of();
    var rows =
        sql.all(
            """
            select task, node, "end" from task where lineage = ? and checkpoint = ? order by id
            """,
            row -> new Row(row.getString(1), row.getString(2), row.getString(3)),
            key.get(),
            checkpoint);
    var result = new ArrayList<TaskRecord>();
    for (var row : rows) result.add(record(lineage, checkpoint, row));
    return result;
  }

  static boolean answer(Sql sql, Lineage lineage, String checkpoint, Answer answer)
      throws SQLException {
    int added =
        sql.update(
            """
            insert into answer (lineage, checkpoint, interrupt, json) values (?, ?, ?, ?)
            on conflict do nothing
            """,
            Lineages.findOrAdd(sql, lineage),
            checkpoint,
            answer.interrupt(),
            Texts.of(answer.value()));
    return added > 0;
  }

  static List<Answer> answers(Sql sql, Lineage lineage, String checkpoint) throws SQLException {
    var key = Lineages.find(sql, lineage);
    if (key.isEmpty()) return List.of();
    try {
      return sql.all(
          """
          select json, json_valid(json), interrupt from answer
          where lineage = ? and checkpoint = ? order by id
          """,
          row -> new Answer(row.getString(3), Texts.checked(row)),
          key.get(),
          checkpoint);
    } catch (MalformedJson e) {
      throw Unreadable.checkpoint(lineage, checkpoint, e);
    }
  }

  private static TaskRecord record(Lineage lineage, String checkpoint, Row row) {
    try {
      return new TaskRecord(row.task(), row.node(), END.decode(new Json(row.end())));
    } catch (MalformedJson e) {
      throw Unreadable.checkpoint(lineage, checkpoint, e);
    }
  }
}
