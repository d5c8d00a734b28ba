package dev.superstep.store.jdbc.sqlite;

import dev.superstep.store.jdbc.sql.Sql;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/// A read connection that is opened at its first use, so that a command that only writes, or reads
/// once, does not pay for a pool. For one thread.
final class LazyConnection implements AutoCloseable {
  private final SqliteFile file;
  private final Object opened;
  private @Nullable Sql sql;

  /// @param opened the file that the store has opened
  LazyConnection(SqliteFile file, Object opened) {
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
