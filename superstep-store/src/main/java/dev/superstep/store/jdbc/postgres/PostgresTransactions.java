package dev.superstep.store.jdbc.postgres;

import dev.superstep.store.jdbc.postgres.StatementNames.Session;
import dev.superstep.store.jdbc.sql.Dialect;
import dev.superstep.store.jdbc.sql.Operation;
import dev.superstep.store.jdbc.sql.RowIds;
import dev.superstep.store.jdbc.sql.Sql;
import dev.superstep.store.jdbc.sql.StoreClosed;
import dev.superstep.store.jdbc.sql.Transactions;
import dev.superstep.store.jdbc.sql.UnreadableData;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;
import org.postgresql.PGConnection;

/// Runs operations in transactions of their own, each on a connection that it has for so long. Safe
/// for many threads.
public final class PostgresTransactions implements Transactions {
  /// Settings of a writing transaction. They end with it, so the next user of the connection does
  /// not see them. One that hangs lets go of the thread, so that another process can take over.
  private static final List<String> WRITING =
      List.of(
          """
          select pg_backend_pid(), set_config('search_path', '%s', true),
            set_config('lock_timeout', '30s', true),
            set_config('idle_in_transaction_session_timeout', '15s', true)
          """
              .formatted(PostgresSchema.NAME));

  /// Settings of a reading transaction, whose queries must all see one moment.
  private static final List<String> READING =
      List.of(
          "set transaction isolation level repeatable read, read only",
          """
          select pg_backend_pid(), set_config('search_path', '%s', true),
            set_config('idle_in_transaction_session_timeout', '15s', true)
          """
              .formatted(PostgresSchema.NAME));

  // When many were killed at once, a pool may give several of those.
  private static final int CONNECTIONS_TRIED_MAX = 50;

  private final String name;
  private final DataSource source;
  private final StatementNames statementNames;
  private final RowIds names = new RowIds();
  private final WorkerPool workers = new WorkerPool("superstep-postgres-");

  private PostgresTransactions(String name, DataSource source, StatementNames statementNames) {
    this.name = name;
    this.source = source;
    this.statementNames = statementNames;
  }

  /// Connects to a database and migrates its schema if needed.
  ///
  /// @throws dev.superstep.checkpoint.StoreFailed if the database cannot be used
  public static PostgresTransactions on(DataSource source, StatementNames statementNames) {
    return new PostgresTransactions(PostgresSchema.upgrade(source), source, statementNames);
  }

  private interface Use<T> {
    T of(Connection connection, Session session) throws SQLException;
  }

  /// Work outside of a transaction.
  public interface ConnectionWork {
    void run(Connection connection) throws SQLException;
  }

  /// Thrown when the connection broke after a commit was sent and before its answer came, so that
  /// its outcome is unknown.
  static final class UncertainCommit extends SQLException {
    UncertainCommit(SQLException cause) {
      super(cause.getMessage(), cause.getSQLState(), cause);
    }
  }

  @Override
  public <T> T read(Operation<T> operation) {
    return explained((connection, session) -> {
      connection.setAutoCommit(false);
      try {
        return operation.run(sql(connection, session, READING));
      } finally {
        rollBack(connection);
      }
    });
  }

  @Override
  public <T> T write(Operation<T> operation) {
    return explained((connection, session) -> {
      connection.setAutoCommit(false);
      var sql = sql(connection, session, WRITING);
      try {
        var result = operation.run(sql);
        sql.commit();
        sql.committed();
        return result;
      } catch (SQLException e) {
        rollBack(connection);
        if (sql.isCommitSent() && !isRefusal(connection, e)) throw new UncertainCommit(e);
        throw e;
      } catch (RuntimeException | Error e) {
        rollBack(connection);
        throw e;
      }
    });
  }

  public void outsideTransaction(ConnectionWork work) {
    explained((connection, _) -> {
      connection.setAutoCommit(true);
      work.run(connection);
      return true;
    });
  }

  @Override
  public void close() {
    workers.close();
  }

  private <T> T explained(Use<T> use) {
    try {
      return withRetry(use);
    } catch (SQLException e) {
      throw PostgresErrors.failed(name, e);
    } catch (UnreadableData e) {
      throw PostgresErrors.failed(name, e);
    } catch (StoreClosed e) {
      throw PostgresErrors.failed(name, e);
    }
  }

  /// Tries the work again once, if the first attempt left nothing behind.
  private <T> T withRetry(Use<T> use) throws SQLException {
    return workers.run(() -> {
      try (var connection = source.getConnection()) {
        return using(connection, use);
      } catch (UncertainCommit e) {
        throw e;
      } catch (SQLException e) {
        if (!statementNames.isRefused(e) && !PostgresErrors.isPassing(e)) throw e;
        try {
          return again(use);
        } catch (SQLException second) {
          second.addSuppressed(e);
          throw second;
        }
      }
    });
  }

  private <T> T again(Use<T> use) throws SQLException {
    for (int i = 1; i < CONNECTIONS_TRIED_MAX; i++) {
      try (var connection = source.getConnection()) {
        if (using(connection, (live, _) -> answers(live))) return using(connection, use);
      }
    }
    try (var connection = source.getConnection()) {
      return using(connection, use);
    }
  }

  /// Tests a connection by a query, because a pool sees the error of a query and drops the
  /// connection.
  private static boolean answers(Connection connection) {
    try (var statement = connection.createStatement()) {
      return statement.execute("select 1");
    } catch (SQLException _) {
      return false;
    }
  }

  /// Returns true if a commit certainly failed. A server that refuses it, or a statement before it,
  /// says so and keeps answering; then nothing was saved. A server that shuts down while it commits
  /// may have saved everything, whatever it says.
  private static boolean isRefusal(Connection connection, SQLException e) {
    return !PostgresErrors.isOfConnection(e) && answers(connection);
  }

  private static void rollBack(Connection connection) {
    try {
      connection.rollback();
    } catch (SQLException _) {
      // The connection is lost, and the transaction with it.
    }
  }

  /// The settings say which process of the server is at work.
  private Sql sql(Connection connection, Session session, List<String> settings) {
    return new Sql(connection, Dialect.POSTGRES, names)
        .withSettings(settings, row -> session.process().check(row.getInt(1)));
  }

  /// Keeps the driver from leaving statements at the server under names, unless it may.
  private <T> T using(Connection connection, Use<T> use) throws SQLException {
    var session = statementNames.open(connection);
    if (session.mayName() || !connection.isWrapperFor(PGConnection.class)) {
      return use.of(connection, session);
    }
    var driver = connection.unwrap(PGConnection.class);
    int usual = driver.getPrepareThreshold();
    driver.setPrepareThreshold(0);
    try {
      return use.of(connection, session);
    } finally {
      driver.setPrepareThreshold(usual);
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
