package dev.superstep.store.jdbc;

import dev.superstep.checkpoint.StoreFailed;
import dev.superstep.store.Store;
import dev.superstep.store.StoreOptions;
import javax.sql.DataSource;

/// Opens stores that keep their items in PostgreSQL, shared by many machines.
///
/// ```java
/// var pool = new HikariDataSource();
/// pool.setJdbcUrl("jdbc:postgresql://db.example.com/memory?user=app");
/// try (var store = PostgresStore.open(pool)) { ... }
/// ```
///
/// Every call is one or two transactions, each on a connection of its own, and leaves nothing in
/// the session. The pool is the caller's to configure and to close; closing the store does not. The
/// clock of the caller says what has expired.
public final class PostgresStore {
  private PostgresStore() {}

  /// Opens a store without search by meaning.
  ///
  /// @throws StoreFailed if the database cannot be used
  public static Store open(DataSource pool) {
    return open(pool, StoreOptions.defaults());
  }

  /// Makes the tables, or brings them up to what this program needs, and opens the store. The
  /// tables are in the first schema of the connection's search path, and what was done to them in
  /// `superstep_store_history`.
  ///
  /// @throws StoreFailed if the database cannot be used
  public static Store open(DataSource pool, StoreOptions options) {
    PostgresSchema.store().bringUpToDate(pool);
    return openAsIs(pool, options);
  }

  /// Opens a store whose tables are there: for users who may not change the schema.
  public static Store openAsIs(DataSource pool, StoreOptions options) {
    return new SqlStore(new PostgresTransactions(pool), ItemRows.postgres(), options);
  }
}
