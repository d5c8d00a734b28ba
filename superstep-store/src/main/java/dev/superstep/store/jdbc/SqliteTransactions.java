package dev.superstep.store.jdbc;

import java.nio.file.Path;
import java.sql.SQLException;

/// Transactions on one SQLite file, with its errors explained. Safe for many threads.
record SqliteTransactions(Path file, Lanes lanes) implements Transactions {
  @Override
  public <T> T write(Operation<T> operation) {
    return explained(() -> lanes.write(operation));
  }

  @Override
  public <T> T read(Operation<T> operation) {
    return explained(() -> lanes.read(operation));
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
      throw SqliteErrors.failed(file, e);
    } catch (Unreadable e) {
      throw SqliteErrors.failed(file, e);
    } catch (StoreClosed e) {
      throw SqliteErrors.failed(file, e);
    }
  }
}
