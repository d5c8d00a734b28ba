package dev.superstep.store.jdbc.service;

import dev.superstep.checkpoint.StoreFailed;
import dev.superstep.service.ServiceStore;
import dev.superstep.service.WatchedTopics;
import dev.superstep.store.jdbc.service.SqlServiceTransaction.Mode;
import dev.superstep.store.jdbc.sql.Transactions;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/// A store of a service in an SQL database. Safe for many threads.
public final class SqlServiceStore implements ServiceStore {
  // A transaction of which another one has changed what it read.
  private static final Set<String> TRY_AGAIN = Set.of(SeenVersions.CONFLICT, "40P01");
  private static final int RUNS_MAX = 50;
  // After so many, a transaction locks what it reads, so that it gets its turn.
  private static final int RUNS_WITHOUT_LOCKS = 2;

  private final Transactions database;
  private final InstantSource clock;
  private final WatchedTopics topics;
  private final Signals signals;

  /// @param clock that of a database which is not a server
  /// @param signals is closed with the store
  public SqlServiceStore(
      Transactions database, InstantSource clock, WatchedTopics topics, Signals signals) {
    this.database = database;
    this.clock = clock;
    this.topics = topics;
    this.signals = signals;
  }

  @Override
  public <R> R write(Work<R> work) {
    var runs = new AtomicInteger();
    while (true) {
      try {
        return writeOnce(work, runs);
      } catch (StoreFailed e) {
        if (!isPassing(e) || runs.get() >= RUNS_MAX) throw e;
      }
    }
  }

  private <R> R writeOnce(Work<R> work, AtomicInteger runs) {
    return database.write(sql -> {
      var mode = runs.incrementAndGet() > RUNS_WITHOUT_LOCKS ? Mode.LOCKING : Mode.WRITING;
      var transaction = new SqlServiceTransaction(sql, clock, mode);
      R result = transaction.run(work);
      var signalled = transaction.signalled();
      if (!signalled.isEmpty()) {
        signals.send(sql, signalled);
        sql.afterCommit(() -> signalled.forEach(topics::signal));
      }
      return result;
    });
  }

  private static boolean isPassing(StoreFailed e) {
    return e.getCause() instanceof SQLException cause
        && TRY_AGAIN.contains(String.valueOf(cause.getSQLState()));
  }

  @Override
  public <R> R read(Work<R> work) {
    return database.read(sql -> new SqlServiceTransaction(sql, clock, Mode.READING).run(work));
  }

  @Override
  public Watch watch(String topic) {
    return topics.watch(topic);
  }

  @Override
  public void close() {
    topics.close();
    signals.close();
    database.close();
  }

  @Override
  public String toString() {
    return "SqlServiceStore[" + database + "]";
  }
}
