package dev.superstep.store.jdbc;

import dev.superstep.checkpoint.StoreFailed;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;

/// Transactions on one SQLite file, with its errors explained. Safe for many threads.
record SqliteTransactions(Path file, SqliteOptions options, Lanes lanes) implements Transactions {
  /// @throws StoreFailed if the file cannot be used
  static SqliteTransactions open(Path file, SqliteOptions options) {
    var sqlite = new SqliteFile(file, options, new Names());
    try {
      return new SqliteTransactions(file, options, Lanes.open(sqlite, sqlite.create()));
    } catch (IOException e) {
      throw SqliteErrors.notMade(file, e);
    } catch (SQLException e) {
      throw SqliteErrors.failed(file, options, e);
    } catch (Unreadable e) {
      throw SqliteErrors.failed(file, e);
    }
  }

  @Override
  public <T> T write(Operation<T> operation) {
    return explained(() -> lanes.write(operation));
  }

  @Override
  public <T> T read(Operation<T> operation) {
    return explained(() -> lanes.read(operation));
  }

  /// Runs one that takes no longer than a write on one state of the database.
  <T> T glance(Operation<T> operation) {
    return explained(() -> lanes.glance(operation));
  }

  /// Runs the operation where one writes, outside of a transaction.
  <T> T alone(Operation<T> operation) {
    return explained(() -> lanes.alone(operation));
  }

  @Override
  public void close() {
    explained(() -> {
      lanes.close();
      return true;
    });
  }

  private interface Call<T> {
    T run() throws SQLException;
  }

  private <T> T explained(Call<T> call) {
    try {
      return call.run();
    } catch (SQLException e) {
      throw SqliteErrors.failed(file, options, e);
    } catch (Unreadable e) {
      throw SqliteErrors.failed(file, e);
    } catch (StoreClosed e) {
      throw SqliteErrors.failed(file, e);
    }
  }
}
