package dev.superstep.store.jdbc;

import dev.superstep.checkpoint.StoreFailed;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import javax.sql.DataSource;

/// Transactions on PostgreSQL, each with a connection of its own from the user's pool, and nothing
/// that outlives it in the session: a pooler that gives each transaction another session is fine.
/// Safe for many threads.
///
/// A connection that died while it was idle is found out by its first use. What fails before the
/// commit was certainly not done, so it is done again on another connection. A commit that is not
/// confirmed may have happened, so it is never repeated.
final class PostgresTransactions implements Transactions {
  private static final String NAME = "PostgreSQL";
  // A pool may hand out each of its dead connections before it makes a new one.
  private static final int ATTEMPTS_MAX = 12;
  private static final Set<String> SHUT_DOWN = Set.of("57P01", "57P02", "57P03");
  private static final Set<String> CLASHED = Set.of("40001", "40P01");

  private final DataSource pool;
  private volatile boolean closed;

  PostgresTransactions(DataSource pool) {
    this.pool = pool;
  }

  @Override
  public <T> T write(Operation<T> operation) {
    return run(operation, true);
  }

  @Override
  public <T> T read(Operation<T> operation) {
    return run(operation, false);
  }

  @Override
  public void close() {
    closed = true;
  }

  private <T> T run(Operation<T> operation, boolean writes) {
    if (closed) throw failed("it is closed; open it again to use it", new StoreClosed());
    for (int attempt = 1; ; attempt++) {
      var connection = connect();
      try {
        connection.setAutoCommit(false);
        T result = operation.run(new Sql(connection));
        if (writes) commit(connection);
        return result;
      } catch (SQLException e) {
        if (!isUndone(e) || attempt == ATTEMPTS_MAX) throw failed(why(e), e);
      } catch (Unreadable e) {
        throw failed(String.valueOf(e.getMessage()), e);
      } finally {
        giveBack(connection);
      }
    }
  }

  private Connection connect() {
    try {
      return pool.getConnection();
    } catch (SQLException e) {
      throw failed(
          "it gives no connection (%s); check that it runs and who may connect".formatted(text(e)),
          e);
    }
  }

  private static void commit(Connection connection) throws SQLException {
    try {
      connection.commit();
    } catch (SQLException e) {
      if (!isLost(e)) throw e;
      throw failed(
          "the connection broke before it confirmed a write, which may have happened or not;"
              + " read what is there before you write again",
          e);
    }
  }

  /// Ends the transaction, if it is still open. What this fails at is no more than the connection.
  private static void giveBack(Connection connection) {
    try (connection) {
      connection.rollback();
      connection.setAutoCommit(true);
    } catch (SQLException _) {
      // The pool sees by itself that the connection is of no use.
    }
  }

  /// Whether certainly nothing of it happened and it may succeed another time.
  private static boolean isUndone(SQLException e) {
    return isLost(e) || CLASHED.contains(state(e));
  }

  private static boolean isLost(SQLException e) {
    return state(e).startsWith("08") || SHUT_DOWN.contains(state(e));
  }

  private static String why(SQLException e) {
    if (isLost(e)) return "its connections break (" + text(e) + "); check that it runs";
    return switch (state(e)) {
      case "42P01" -> "its tables are missing; open it once with `PostgresStore.open`";
      case "42501" -> "the user may not use its tables (" + text(e) + "); grant the rights";
      case "25006" -> "it only reads; connect to the primary";
      case "53100" -> "its disk is full; free some space and run again";
      default -> "PostgreSQL says: " + text(e);
    };
  }

  private static StoreFailed failed(String why, Exception e) {
    return new StoreFailed(NAME, why, e);
  }

  private static String state(SQLException e) {
    var state = e.getSQLState();
    return state == null ? "" : state;
  }

  private static String text(SQLException e) {
    var message = e.getMessage();
    return message == null ? e.toString() : message.strip();
  }
}
