package dev.superstep.store.jdbc.sqlite;

import dev.superstep.store.jdbc.sql.Operation;
import dev.superstep.store.jdbc.sql.Sql;
import java.sql.SQLException;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// An operation on its way to a thread that owns a connection, and the outcome on its way back. One
/// caller, one server.
final class Request<T> {
  private final Operation<T> operation;
  private final boolean isAlone;
  private @Nullable T value;
  private @Nullable Throwable failure;
  private volatile @Nullable Thread waiter;
  // Written after the outcome, read before it.
  private volatile boolean isEnded;

  Request(Operation<T> operation) {
    this(operation, false);
  }

  /// @param isAlone whether it must run outside of a transaction, so with no other
  Request(Operation<T> operation, boolean isAlone) {
    this.operation = operation;
    this.isAlone = isAlone;
  }

  boolean isAlone() {
    return isAlone;
  }

  /// Runs the operation, without telling the caller yet.
  void run(Sql sql) throws SQLException {
    value = operation.run(sql);
  }

  /// Runs the operation like [#run], so that nothing of it stays if it fails.
  ///
  /// @return why it failed, or null
  /// @throws SQLException if the transaction is gone
  @Nullable Throwable attempt(Sql sql) throws SQLException {
    return sql.attempt(each -> {
      run(each);
      return true;
    });
  }

  /// Returns the value of the last run to the caller.
  void succeed() {
    end(null);
  }

  void fail(Throwable why) {
    end(why);
  }

  /// Waits for the outcome. An interrupt does not end the wait, because a write that is under way
  /// happens anyway and the caller has to know; the thread is still interrupted afterwards.
  ///
  /// @throws SQLException if the database failed; errors of the operation itself are thrown as such
  T await() throws SQLException {
    if (!isEnded) park();
    return switch (failure) {
      case null -> Objects.requireNonNull(value);
      case SQLException e -> throw e;
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      case Throwable e -> throw new IllegalStateException(e);
    };
  }

  private void park() {
    boolean isInterrupted = false;
    waiter = Thread.currentThread();
    while (!isEnded) {
      LockSupport.park(this);
      if (Thread.interrupted()) isInterrupted = true;
    }
    if (isInterrupted) Thread.currentThread().interrupt();
  }

  private void end(@Nullable Throwable why) {
    failure = why;
    isEnded = true;
    LockSupport.unpark(waiter);
  }
}
