package dev.superstep.store.jdbc;

import dev.superstep.checkpoint.Answer;
import dev.superstep.checkpoint.Entry;
import dev.superstep.checkpoint.Lease;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.json.MalformedJson;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/// The answers that tasks got. Rows are only ever added.
final class AnswerRows {
  private AnswerRows() {}

  static boolean save(Sql sql, Lease lease, Where where, List<Answer> answers, List<Entry> journal)
      throws SQLException {
    var held = Leases.holding(sql, lease, journal.size(), where.lineage()).held();
    if (!areNew(sql, held, where, answers)) return Leases.refuse(sql, held, journal.size());
    if (!answers.isEmpty()) {
      put(sql, Lineages.of(sql, held, where.lineage()), where.checkpoint(), answers);
    }
    EntryRows.put(sql, held, journal);
    return true;
  }

  private static boolean areNew(Sql sql, Leases.Held held, Where where, List<Answer> answers)
      throws SQLException {
    var ids = new HashSet<String>();
    for (var answer : answers) if (!ids.add(answer.interrupt())) return false;
    if (ids.isEmpty()) return true;
    var arguments = new ArrayList<Object>();
    arguments.addAll(List.of(Lineages.of(sql, held, where.lineage()), where.checkpoint()));
    arguments.addAll(ids);
    return sql.first(
            "select 1 from answer where lineage = ? and checkpoint = ? and interrupt in "
                + Sql.places(ids.size()),
            row -> row.getInt(1),
            arguments.toArray())
        .isEmpty();
  }

  static void put(Sql sql, long lineage, String checkpoint, List<Answer> answers)
      throws SQLException {
    var rows = new ArrayList<List<Object>>();
    for (var answer : answers) {
      rows.add(List.of(lineage, checkpoint, answer.interrupt(), Texts.of(answer.value())));
    }
    sql.batch(
        "insert into answer (lineage, checkpoint, interrupt, json) values (?, ?, ?, ?)"
            + " on conflict do nothing",
        rows);
  }

  static List<Answer> all(Sql sql, Lineage lineage, String checkpoint) throws SQLException {
    try {
      return sql.all(
          "select a.json, %s, a.interrupt from thread t".formatted(sql.dialect().isJson("a.json"))
              + " join lineage l on l.thread = t.id join answer a on a.lineage = l.id"
              + " where t.name = ? and l.namespace = ? and a.checkpoint = ? order by a.id",
          row -> new Answer(row.getString(3), Texts.checked(row)),
          lineage.thread(),
          lineage.namespace(),
          checkpoint);
    } catch (MalformedJson e) {
      throw Unreadable.checkpoint(lineage, checkpoint, e);
    }
  }
}
