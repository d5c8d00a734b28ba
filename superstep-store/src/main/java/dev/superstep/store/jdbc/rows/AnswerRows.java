package dev.superstep.store.jdbc.rows;

import dev.superstep.checkpoint.Answer;
import dev.superstep.checkpoint.Entry;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.json.MalformedJson;
import dev.superstep.store.jdbc.rows.Leases.ThreadRow;
import dev.superstep.store.jdbc.sql.Digest;
import dev.superstep.store.jdbc.sql.PendingResult;
import dev.superstep.store.jdbc.sql.Sql;
import dev.superstep.store.jdbc.sql.SqlText;
import dev.superstep.store.jdbc.sql.UnreadableData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The answers that tasks got. Rows are only ever added.
public final class AnswerRows {
  private static final String PUT =
      "insert into answer (lineage, checkpoint, interrupt, json, digest) values (?, ?, ?, ?, ?)"
          + " on conflict do nothing";

  private AnswerRows() {}

  public static boolean save(
      Sql sql, Leases.Claim claim, CheckpointKey where, List<Answer> answers, List<Entry> journal)
      throws SQLException {
    if (answers.size() == 1 && !sql.dialect().isRemote()) {
      return saveOne(sql, claim.checkedRow(), where, answers.getFirst(), journal);
    }
    var earlier = earlier(sql, where, answers);
    var threadRow = claim.checkedRow();
    boolean areDistinct =
        answers.stream().map(Answer::interrupt).distinct().count() == answers.size();
    if (!areDistinct || earlier.first().isPresent()) {
      return Leases.returnOffsets(sql, threadRow, journal.size());
    }
    if (!answers.isEmpty()) {
      put(sql, Lineages.of(sql, threadRow, where.lineage()), where, answers);
    }
    EntryRows.put(sql, threadRow, journal);
    return true;
  }

  /// Adds an answer on the condition that it is the first, where nothing has a way to go.
  private static boolean saveOne(
      Sql sql, ThreadRow threadRow, CheckpointKey where, Answer answer, List<Entry> journal)
      throws SQLException {
    long lineage = Lineages.of(sql, threadRow, where.lineage());
    if (sql.update(PUT, row(lineage, where, answer).toArray()) == 0) {
      return Leases.returnOffsets(sql, threadRow, journal.size());
    }
    EntryRows.put(sql, threadRow, journal);
    return true;
  }

  /// Gives a row if a question has an answer.
  private static PendingResult<Integer> earlier(Sql sql, CheckpointKey where, List<Answer> answers)
      throws SQLException {
    if (answers.isEmpty()) return PendingResult.empty(sql);
    var arguments = new ArrayList<Object>();
    arguments.add(where.lineage().thread());
    arguments.add(where.lineage().namespace());
    arguments.add(where.checkpoint());
    for (var answer : answers) arguments.add(answer.interrupt());
    return sql.prefetch(
        "select 1 from thread t join lineage l on l.thread = t.id join answer a on a.lineage = l.id"
            + " where t.name = ? and l.namespace = ? and a.checkpoint = ? and a.interrupt in "
            + Sql.places(answers.size()),
        row -> row.getInt(1),
        arguments.toArray());
  }

  static void put(Sql sql, long lineage, CheckpointKey where, List<Answer> answers)
      throws SQLException {
    sql.batch(PUT, answers.stream().map(answer -> row(lineage, where, answer)).toList());
  }

  private static List<Object> row(long lineage, CheckpointKey where, Answer answer) {
    var value = SqlText.of(answer.value());
    long digest = digest(where, answer.interrupt(), value);
    return List.of(lineage, where.checkpoint(), answer.interrupt(), value, digest);
  }

  static long digest(CheckpointKey where, String interrupt, String value) {
    return Digest.of("answer", where.lineage().namespace(), where.checkpoint(), interrupt, value);
  }

  static void check(Optional<Long> kept, long expected, String interrupt) {
    Digest.check(kept, expected, "the answer to its question `" + interrupt + "`");
  }

  private static Answer answer(ResultSet row, CheckpointKey where) throws SQLException {
    var interrupt = row.getString(3);
    check(Digest.read(row, 4), digest(where, interrupt, row.getString(1)), interrupt);
    return new Answer(interrupt, SqlText.checked(row));
  }

  public static List<Answer> all(Sql sql, Lineage lineage, String checkpoint) throws SQLException {
    try {
      return sql.all(
          "select a.json, %s, a.interrupt, a.digest from thread t"
                  .formatted(sql.dialect().isJson("a.json"))
              + " join lineage l on l.thread = t.id join answer a on a.lineage = l.id"
              + " where t.name = ? and l.namespace = ? and a.checkpoint = ? order by a.id",
          row -> answer(row, new CheckpointKey(lineage, checkpoint)),
          lineage.thread(),
          lineage.namespace(),
          checkpoint);
    } catch (MalformedJson | UnreadableData e) {
      throw UnreadableData.checkpoint(lineage, checkpoint, e);
    }
  }
}
