package dev.superstep.store.jdbc.sqlite;

import dev.superstep.checkpoint.StoreFailed;
import dev.superstep.store.jdbc.sql.Operation;
import dev.superstep.store.jdbc.sql.RowIds;
import dev.superstep.store.jdbc.sql.StoreClosed;
import dev.superstep.store.jdbc.sql.Transactions;
import dev.superstep.store.jdbc.sql.UnreadableData;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;

/// Transactions on one SQLite file, with its errors explained. Safe for many threads.
public record SqliteTransactions(Path file, SqliteSettings settings, SqliteExecutor executor)
    implements Transactions {
  /// Opens a file and migrates its schema if needed.
  ///
  /// @throws StoreFailed if the file cannot be used
  public static SqliteTransactions open(Path file, SqliteSettings settings) {
    var sqlite = new SqliteFile(file, settings, new RowIds());
    try {
      return new SqliteTransactions(file, settings, SqliteExecutor.open(sqlite, sqlite.create()));
    } catch (IOException e) {
      throw SqliteErrors.notMade(file, e);
    } catch (SQLException e) {
      throw SqliteErrors.notOpened(file, settings.lockWait(), e);
    } catch (UnreadableData e) {
      throw SqliteErrors.notOpened(file, e);
    }
  }

  @Override
  public <T> T write(Operation<T> operation) {
    return explained(() -> executor.write(operation));
  }

  @Override
  public <T> T read(Operation<T> operation) {
    return explained(() -> executor.read(operation));
  }

  /// Runs a short read, on the writer's connection if that is idle.
  public <T> T readOnWriter(Operation<T> operation) {
    return explained(() -> executor.readOnWriter(operation));
  }

  /// Returns how many writes wait for others to end.
  public int waitingWrites() {
    return executor.waitingWrites();
  }

  /// Runs the operation on the writer's connection, outside a transaction.
  public <T> T outsideTransaction(Operation<T> operation) {
    return explained(() -> executor.outsideTransaction(operation));
  }

  @Override
  public void close() {
    explained(() -> {
      executor.close();
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
      throw SqliteErrors.failed(file, settings.lockWait(), e);
    } catch (UnreadableData e) {
      throw SqliteErrors.failed(file, e);
    } catch (StoreClosed e) {
      throw SqliteErrors.failed(file, e);
    }
  }

  @Override
  public String toString() {
    return file.toString();
  }
}
