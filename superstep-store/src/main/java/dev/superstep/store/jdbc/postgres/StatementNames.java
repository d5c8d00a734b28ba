package dev.superstep.store.jdbc.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.postgresql.PGConnection;

/// Permission for the driver to leave statements at the server under names, which saves the server
/// from parsing and planning them again. Safe for many threads.
///
/// Behind a pooler, the next transaction may be at another session of the server, where a name is
/// unknown or belongs to another statement. A pooler gives its clients process ids that it made up,
/// so each transaction compares the id that its connection was given with that of the session that
/// runs it. That is in its first round trip, of which nothing was committed yet.
public final class StatementNames {
  // No statement has this name, or another one has it.
  private static final Set<String> OF_ANOTHER_SESSION = Set.of("26000", "42P05");

  private enum Use {
    /// Not until a transaction has found no pooler.
    UNKNOWN,
    UNLESS_POOLED,
    ALWAYS,
    NEVER
  }

  private final AtomicReference<Use> use;

  private StatementNames(Use use) {
    this.use = new AtomicReference<>(use);
  }

  public static StatementNames always() {
    return new StatementNames(Use.ALWAYS);
  }

  public static StatementNames never() {
    return new StatementNames(Use.NEVER);
  }

  /// Names where connections lead to the server itself.
  public static StatementNames unlessPooled() {
    return new StatementNames(Use.UNKNOWN);
  }

  /// Thrown when a transaction that may have used names turns out to be behind a pooler.
  static final class PoolerFound extends SQLException {
    private PoolerFound() {
      super("the connection leads to a pooler");
    }
  }

  /// Opens a session for a transaction on a connection.
  Session open(Connection connection) throws SQLException {
    var now = use.get();
    boolean areAllowed = now == Use.ALWAYS || now == Use.UNLESS_POOLED;
    boolean isAsked = now == Use.UNKNOWN || now == Use.UNLESS_POOLED;
    if (!isAsked || !connection.isWrapperFor(PGConnection.class)) {
      return new Session(areAllowed, _ -> {});
    }
    int expected = connection.unwrap(PGConnection.class).getBackendPID();
    return new Session(
        areAllowed,
        process -> {
          if (process == expected) {
            use.compareAndSet(Use.UNKNOWN, Use.UNLESS_POOLED);
            return;
          }
          use.set(Use.NEVER);
          if (areAllowed) throw new PoolerFound();
        });
  }

  /// A session of the server as a transaction expects it.
  ///
  /// @param mayName whether the driver may leave statements there under names
  record Session(boolean mayName, ProcessCheck process) {}

  /// A check of the process that runs a transaction.
  interface ProcessCheck {
    /// Compares the process with that of the connection.
    ///
    /// @throws PoolerFound if they differ and names may have been used
    void check(int process) throws SQLException;
  }

  /// Returns true if a transaction failed because of names that are not used any more.
  boolean isRefused(SQLException e) {
    if (e instanceof PoolerFound) return true;
    boolean isOfName = OF_ANOTHER_SESSION.contains(String.valueOf(e.getSQLState()));
    if (!isOfName || use.get() == Use.ALWAYS) return false;
    use.set(Use.NEVER);
    return true;
  }
}
