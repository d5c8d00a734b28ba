package dev.superstep.store.jdbc;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/// A connection for reading that is opened at its first use: a command that only writes, or does
/// one read, does not pay for a pool. One thread.
final class LateConnection implements AutoCloseable {
  private final SqliteFile file;
  private @Nullable Sql sql;

  LateConnection(SqliteFile file) {
    this.file = file;
  }

  Sql sql() throws SQLException {
    var open = sql;
    if (open == null) {
      open = file.reader();
      sql = open;
    }
    return open;
  }

  @Override
  public void close() {
    if (sql == null) return;
    try {
      sql.close();
    } catch (SQLException _) {
      // Nothing that was read depends on it.
    }
  }
}
