package dev.superstep.store.jdbc;

import dev.superstep.checkpoint.Lineage;
import java.sql.SQLException;
import java.util.Optional;

/// The keys of lineages.
final class Lineages {
  private Lineages() {}

  static Optional<Long> find(Sql sql, Lineage lineage) throws SQLException {
    return sql.first(
        "select id from lineage where thread = ? and namespace = ?",
        row -> row.getLong(1),
        lineage.thread(),
        lineage.namespace());
  }

  static long findOrAdd(Sql sql, Lineage lineage) throws SQLException {
    var found = find(sql, lineage);
    if (found.isPresent()) return found.get();
    return sql.insert(
        "insert into lineage (thread, namespace) values (?, ?) returning id",
        lineage.thread(),
        lineage.namespace());
  }
}
