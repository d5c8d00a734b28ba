package dev.superstep.store.jdbc.postgres;

import dev.superstep.checkpoint.StoreDamaged;
import dev.superstep.checkpoint.StoreFailed;
import dev.superstep.store.jdbc.sql.StoreClosed;
import dev.superstep.store.jdbc.sql.UnreadableData;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Set;

/// Explains errors of PostgreSQL in a sentence that says what to do.
final class PostgresErrors {
  private static final String CONNECTION = "08";
  private static final String ENDING = "57P";
  private static final String UNKNOWN_END = "40003";
  // The server ends, or is starting; the transaction gave way to another one.
  private static final Set<String> PASSING =
      Set.of("57P01", "57P02", "57P03", "57P05", "25P03", "40001", "40P01");

  private static final Set<String> DAMAGED = Set.of("XX001", "XX002");
  private static final String RESTORE = "; restore a backup";

  private PostgresErrors() {}

  /// Returns true if the operation may succeed on another connection.
  static boolean isPassing(SQLException e) {
    var state = state(e);
    return state.startsWith(CONNECTION) || PASSING.contains(state);
  }

  /// Returns true if the connection, or the server behind it, failed.
  static boolean isOfConnection(SQLException e) {
    var state = state(e);
    return state.isEmpty()
        || state.startsWith(CONNECTION)
        || state.startsWith(ENDING)
        || state.equals(UNKNOWN_END);
  }

  static StoreFailed failed(String name, SQLException e) {
    return DAMAGED.contains(state(e))
        ? new StoreDamaged(name, "PostgreSQL says: " + text(e) + RESTORE, e)
        : new StoreFailed(name, why(e), e);
  }

  static StoreFailed failed(String name, UnreadableData e) {
    var cause = e.getCause();
    var known = cause == null ? e : cause;
    return e.isDamage()
        ? new StoreDamaged(name, text(e) + RESTORE, known)
        : new StoreFailed(name, text(e), known);
  }

  static StoreFailed failed(String name, StoreClosed e) {
    return new StoreFailed(name, "it is closed; open it again to use it", e);
  }

  private static String why(SQLException e) {
    if (e instanceof PostgresTransactions.UncertainCommit) {
      return "the connection was lost while it saved, and whether that was kept is not known ("
          + text(e)
          + "); read what is there before you write again";
    }
    if (e instanceof SQLTransientConnectionException) {
      return "the pool gave no connection (" + text(e) + "); check the server and the pool's size";
    }
    var state = state(e);
    return switch (state) {
      case "55P03" -> "another process keeps it locked; end that process or try again later";
      case "42501" -> "the user may not do this (" + text(e) + "); grant it, or migrate as another";
      case "42P01", "3F000" -> "its tables are not there; run PostgresCheckpointer.migrate";
      case "3D000" -> "the database does not exist; make it first";
      case "53100" -> "the disk of the server is full; free some space and run again";
      case "53300" -> "the server has no connection left; use a smaller pool or allow more";
      case "25006" -> "the server only reads, as a standby does; connect to the primary";
      default -> whyByKind(state, e);
    };
  }

  private static String whyByKind(String state, SQLException e) {
    if (state.startsWith(CONNECTION) || state.startsWith(ENDING)) {
      return "the server cannot be reached (" + text(e) + "); check that it runs";
    }
    if (state.startsWith("28")) return "the server refuses the user (" + text(e) + ")";
    return "PostgreSQL says: " + text(e);
  }

  private static String state(SQLException e) {
    var state = e.getSQLState();
    return state == null ? "" : state;
  }

  private static String text(Exception e) {
    var message = e.getMessage();
    return message == null ? e.toString() : message;
  }
}
