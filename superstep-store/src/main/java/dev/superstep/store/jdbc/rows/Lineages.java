package dev.superstep.store.jdbc.rows;

import dev.superstep.checkpoint.Lineage;
import dev.superstep.store.jdbc.sql.Digest;
import dev.superstep.store.jdbc.sql.RowIds;
import dev.superstep.store.jdbc.sql.Sql;
import java.sql.SQLException;
import java.util.Optional;

/// The keys of threads, of lineages and of the runs that wrote to a thread.
final class Lineages {
  private static final String FIND = "select id from lineage where thread = ? and namespace = ?";
  private static final String ADD =
      "insert into lineage (thread, namespace) values (?, ?) on conflict do nothing returning id";
  private static final String FIND_RUN = "select id from run where thread = ? and name = ?";
  private static final String ADD_RUN =
      "insert into run (thread, name) values (?, ?) on conflict do nothing returning id";

  private Lineages() {}

  static Optional<Long> find(Sql sql, Lineage lineage) throws SQLException {
    return sql.first(
        "select l.id from thread t join lineage l on l.thread = t.id"
            + " where t.name = ? and l.namespace = ?",
        row -> row.getLong(1),
        lineage.thread(),
        lineage.namespace());
  }

  /// Returns the key of the claim's lineage, which is added if it is missing.
  static long of(Sql sql, Leases.ThreadRow threadRow, Lineage lineage) throws SQLException {
    var known = threadRow.lineage();
    return known.isPresent()
        ? known.get()
        : findOrAdd(sql, threadRow.thread(), lineage.namespace());
  }

  static long findOrAdd(Sql sql, long thread, String namespace) throws SQLException {
    return RowIds.findOrAdd(sql, FIND, ADD, thread, namespace);
  }

  /// Adds a lineage that is known to be missing.
  static long add(Sql sql, long thread, String namespace) throws SQLException {
    return RowIds.addOrFind(sql, FIND, ADD, thread, namespace);
  }

  static long run(Sql sql, long thread, String name) throws SQLException {
    return RowIds.findOrAdd(sql, FIND_RUN, ADD_RUN, thread, name);
  }

  /// Adds a run that is known to be missing.
  static long addRun(Sql sql, long thread, String name) throws SQLException {
    return RowIds.addOrFind(sql, FIND_RUN, ADD_RUN, thread, name);
  }

  /// @param checkpoint its row
  /// @param id of the checkpoint
  static void head(Sql sql, long lineage, Lineage name, long checkpoint, String id)
      throws SQLException {
    sql.write(
        "update lineage set head = ?, digest = ? where id = ?",
        checkpoint,
        digest(name, id),
        lineage);
  }

  static void head(Sql sql, long lineage, Lineage name, String checkpoint) throws SQLException {
    sql.write(
        "update lineage set head = (select seq from checkpoint where lineage = ? and id = ?),"
            + " digest = ? where id = ?",
        lineage,
        checkpoint,
        digest(name, checkpoint),
        lineage);
  }

  /// Computes the digest that binds a lineage to its newest checkpoint.
  static long digest(Lineage name, String head) {
    return Digest.of("lineage", name.thread(), name.namespace(), head);
  }

  /// Returns true if a lineage of the thread has a newest checkpoint.
  static boolean hasHead(Sql sql, long thread, String namespace) throws SQLException {
    return sql.first(
            "select 1 from lineage where thread = ? and namespace = ? and head is not null",
            row -> row.getInt(1),
            thread,
            namespace)
        .isPresent();
  }

  /// Returns true if the thread has no checkpoint.
  static boolean isEmpty(Sql sql, long thread) throws SQLException {
    return sql.first(
            "select 1 from lineage where thread = ? and head is not null limit 1",
            row -> row.getInt(1),
            thread)
        .isEmpty();
  }
}
