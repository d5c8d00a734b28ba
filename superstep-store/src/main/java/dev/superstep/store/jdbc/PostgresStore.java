package dev.superstep.store.jdbc;

import dev.superstep.checkpoint.StoreFailed;
import dev.superstep.store.Store;
import dev.superstep.store.StoreOptions;
import dev.superstep.store.jdbc.postgres.PostgresTransactions;
import dev.superstep.store.jdbc.postgres.StatementNames;
import dev.superstep.store.jdbc.rows.ServerClock;
import dev.superstep.store.jdbc.rows.SqlStore;
import java.time.InstantSource;
import javax.sql.DataSource;

/// Opens stores that keep their items in a PostgreSQL database, shared by many machines. It may be
/// the database of a [PostgresCheckpointer], whose schema `superstep` has the tables of both; what
/// is said there about rights, poolers and libraries holds here, too.
///
/// ```java
/// var pool = new HikariDataSource();
/// pool.setJdbcUrl("jdbc:postgresql://db.example.com/memory?user=app");
/// try (var store = PostgresStore.on(pool)) { ... }
/// ```
///
/// Every call is one or two transactions, each on a connection of its own, and leaves nothing in
/// the session. The clock of the server says what has expired, unless the options have another one.
public final class PostgresStore {
  private PostgresStore() {}

  /// A store without search by meaning.
  ///
  /// @param source where connections come from, best a pool; it is not closed with the store
  /// @throws StoreFailed if the database cannot be used
  public static Store on(DataSource source) {
    return on(source, StoreOptions.defaults());
  }

  /// A store in the database to which the connections lead. The tables are made, or brought up to
  /// what this program needs, if that was not done by [PostgresCheckpointer#migrate].
  ///
  /// @param source where connections come from, best a pool; it is not closed with the store
  /// @throws StoreFailed if the database cannot be used
  public static Store on(DataSource source, StoreOptions options) {
    var database = PostgresTransactions.on(source, StatementNames.unlessPooled());
    boolean hasOwnClock = !options.clock().equals(InstantSource.system());
    return new SqlStore(
        database, options, hasOwnClock ? options.clock() : new ServerClock(database));
  }
}
