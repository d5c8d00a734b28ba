package dev.superstep.store.jdbc;

import dev.superstep.store.jdbc.PostgresCheckpointer.Statements;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;
import org.postgresql.PGConnection;

/// Runs operations in transactions of their own, each on a connection that it has for so long. Safe
/// for many threads.
final class PostgresTransactions implements Transactions {
  /// For this transaction only: whoever has the connection next sees nothing of it.
  private static final List<String> WRITING =
      List.of(
          "set local search_path to " + PostgresSchema.NAME,
          "set local lock_timeout to '30s'",
          // One that hangs lets go of the thread, so that another process can take over.
          "set local idle_in_transaction_session_timeout to '15s'");

  /// What is read with several queries must be of one moment.
  private static final List<String> READING =
      List.of(
          "set transaction isolation level repeatable read, read only",
          "set local search_path to " + PostgresSchema.NAME,
          "set local idle_in_transaction_session_timeout to '15s'");

  // When many were killed at once, a pool may give several of those.
  private static final int CONNECTIONS_TRIED_MAX = 50;

  private final String name;
  private final DataSource source;
  private final Statements statements;
  private final Names names = new Names();
  private final Workers workers = new Workers("superstep-postgres-");

  private PostgresTransactions(String name, DataSource source, Statements statements) {
    this.name = name;
    this.source = source;
    this.statements = statements;
  }

  /// @throws dev.superstep.checkpoint.StoreFailed if the database cannot be used
  static PostgresTransactions on(DataSource source, Statements statements) {
    return new PostgresTransactions(PostgresSchema.bringUp(source), source, statements);
  }

  private interface Use<T> {
    T of(Connection connection) throws SQLException;
  }

  /// Work outside of a transaction.
  interface Outside {
    void run(Connection connection) throws SQLException;
  }

  /// A commit was sent, and what became of it is not known: the connection broke before the answer.
  static final class Uncertain extends SQLException {
    private static final long serialVersionUID = 1L;

    Uncertain(SQLException cause) {
      super(cause.getMessage(), cause.getSQLState(), cause);
    }
  }

  @Override
  public <T> T read(Operation<T> operation) {
    return explained(connection -> {
      connection.setAutoCommit(false);
      try {
        return operation.run(sql(connection, READING));
      } finally {
        rollBack(connection);
      }
    });
  }

  @Override
  public <T> T write(Operation<T> operation) {
    return explained(connection -> {
      connection.setAutoCommit(false);
      var sql = sql(connection, WRITING);
      try {
        var result = operation.run(sql);
        sql.flush();
        commit(connection);
        sql.committed();
        return result;
      } catch (SQLException | RuntimeException | Error e) {
        rollBack(connection);
        throw e;
      }
    });
  }

  void outside(Outside work) {
    explained(connection -> {
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
    } catch (Unreadable e) {
      throw PostgresErrors.failed(name, e);
    } catch (StoreClosed e) {
      throw PostgresErrors.failed(name, e);
    }
  }

  /// Twice at most, and only if the first time left nothing behind.
  private <T> T withRetry(Use<T> use) throws SQLException {
    return workers.run(() -> {
      try (var connection = source.getConnection()) {
        return using(connection, use);
      } catch (Uncertain e) {
        throw e;
      } catch (SQLException e) {
        if (!PostgresErrors.isPassing(e)) throw e;
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
        if (using(connection, PostgresTransactions::answers)) return using(connection, use);
      }
    }
    try (var connection = source.getConnection()) {
      return using(connection, use);
    }
  }

  /// By a query, because a pool sees its error and lets the connection go.
  private static boolean answers(Connection connection) {
    try (var statement = connection.createStatement()) {
      return statement.execute("select 1");
    } catch (SQLException _) {
      return false;
    }
  }

  /// A server that refuses says so and goes on talking; then nothing was kept. One that ends while
  /// it commits may have kept it all, whatever it says.
  private static void commit(Connection connection) throws SQLException {
    try {
      connection.commit();
    } catch (SQLException e) {
      if (!PostgresErrors.isOfConnection(e) && answers(connection)) throw e;
      throw new Uncertain(e);
    }
  }

  private static void rollBack(Connection connection) {
    try {
      connection.rollback();
    } catch (SQLException _) {
      // The connection is lost, and the transaction with it.
    }
  }

  private Sql sql(Connection connection, List<String> settings) {
    return new Sql(connection, Dialect.POSTGRES, names).with(settings);
  }

  /// Keeps the driver from leaving statements at the server under names, unless it may: behind a
  /// pooler, the next transaction may be at another server.
  private <T> T using(Connection connection, Use<T> use) throws SQLException {
    if (statements == Statements.PREPARED) return use.of(connection);
    if (!connection.isWrapperFor(PGConnection.class)) return use.of(connection);
    var driver = connection.unwrap(PGConnection.class);
    int usual = driver.getPrepareThreshold();
    driver.setPrepareThreshold(0);
    try {
      return use.of(connection);
    } finally {
      driver.setPrepareThreshold(usual);
    }
  }
}
