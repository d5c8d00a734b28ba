package dev.superstep.store.jdbc;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/// A connection for reading that is opened at its first use: a command that only writes, or does
/// one read, does not pay for a pool. One thread.
final class LateConnection implements AutoCloseable {
  private final SqliteFile file;
  private final Object opened;
  private @Nullable Sql sql;

  /// @param opened the file that the store has opened
  LateConnection(SqliteFile file, Object opened) {
    this.file = file;
    this.opened = opened;
  }

  Sql sql() throws SQLException {
    var open = sql;
    if (open == null) {
      open = file.reader(opened);
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
