package dev.superstep.store.jdbc;

import dev.superstep.checkpoint.StoreFailed;
import dev.superstep.service.ServiceStore;
import dev.superstep.service.WatchedTopics;
import dev.superstep.store.jdbc.postgres.NotifiedSignals;
import dev.superstep.store.jdbc.postgres.PostgresTransactions;
import dev.superstep.store.jdbc.postgres.StatementNames;
import dev.superstep.store.jdbc.service.SqlServiceStore;
import java.time.InstantSource;
import javax.sql.DataSource;

/// Opens stores that keep the documents and logs of a service in a PostgreSQL database, shared by
/// many machines. It may be the database of a [PostgresCheckpointer], whose schema `superstep` has
/// the tables of both; what is said there about rights, poolers and libraries holds here, too.
///
/// Time is that of the database, whatever the clocks of the machines say. From the first
/// [watch][ServiceStore#watch] on, one connection is kept for the signals of other processes.
public final class PostgresServiceStore {
  private PostgresServiceStore() {}

  /// A store in the database to which the connections lead. The tables are made, or brought up to
  /// what this program needs, if that was not done by [PostgresCheckpointer#migrate].
  ///
  /// @param source where connections come from, best a pool; it is not closed with the store
  /// @throws StoreFailed if the database cannot be used
  public static ServiceStore on(DataSource source) {
    var database = PostgresTransactions.on(source, StatementNames.unlessPooled());
    var topics = new WatchedTopics();
    var signals = NotifiedSignals.on(source, topics);
    return new SqlServiceStore(database, InstantSource.system(), topics, signals);
  }
}
