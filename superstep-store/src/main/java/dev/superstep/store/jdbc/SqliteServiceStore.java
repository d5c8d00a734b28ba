package dev.superstep.store.jdbc;

import dev.superstep.checkpoint.StoreFailed;
import dev.superstep.service.ServiceStore;
import dev.superstep.service.WatchedTopics;
import dev.superstep.store.jdbc.service.PolledSignals;
import dev.superstep.store.jdbc.service.SqlServiceStore;
import dev.superstep.store.jdbc.sqlite.SqliteTransactions;
import java.nio.file.Path;
import java.time.InstantSource;

/// Opens stores that keep the documents and logs of a service in one SQLite file, which several
/// processes of one machine may use at once. It may be the file of an [SqliteCheckpointer].
///
/// A write survives a crash or kill of the process once its method has returned.
public final class SqliteServiceStore {
  private SqliteServiceStore() {}

  /// Opens a store with the clock of the machine.
  ///
  /// @param file is made, with its folders, if it does not exist; only its owner can read it then
  /// @throws StoreFailed if the file cannot be used
  public static ServiceStore open(Path file) {
    return open(file, InstantSource.system());
  }

  /// Opens a store with a clock of one's own, as tests need it.
  ///
  /// @param file is made, with its folders, if it does not exist; only its owner can read it then
  /// @throws StoreFailed if the file cannot be used
  public static ServiceStore open(Path file, InstantSource clock) {
    var database = SqliteTransactions.open(file, SqliteOptions.defaults().settings());
    var topics = new WatchedTopics();
    return new SqlServiceStore(database, clock, topics, PolledSignals.on(database, topics));
  }
}
