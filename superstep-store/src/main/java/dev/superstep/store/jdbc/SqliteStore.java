package dev.superstep.store.jdbc;

import dev.superstep.checkpoint.StoreFailed;
import dev.superstep.store.Store;
import dev.superstep.store.StoreOptions;
import dev.superstep.store.jdbc.rows.SqlStore;
import dev.superstep.store.jdbc.sqlite.SqliteTransactions;
import java.nio.file.Path;

/// Opens stores that keep their items in one SQLite file, which several processes of one machine
/// may use at once. It may be the file of an [SqliteCheckpointer].
///
/// A write survives a crash or kill of the process once its method has returned.
public final class SqliteStore {
  private SqliteStore() {}

  /// Opens a store without search by meaning.
  ///
  /// @param file is made, with its folders, if it does not exist; only its owner can read it then
  /// @throws StoreFailed if the file cannot be used
  public static Store open(Path file) {
    return open(file, StoreOptions.defaults());
  }

  /// Opens a store.
  ///
  /// @param file is made, with its folders, if it does not exist; only its owner can read it then
  /// @throws StoreFailed if the file cannot be used
  public static Store open(Path file, StoreOptions options) {
    return new SqlStore(
        SqliteTransactions.open(file, SqliteOptions.defaults().settings()),
        options,
        options.clock());
  }
}
