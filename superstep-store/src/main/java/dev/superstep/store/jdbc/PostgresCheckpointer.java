package dev.superstep.store.jdbc;

import dev.superstep.checkpoint.StoreFailed;
import dev.superstep.store.jdbc.postgres.PostgresSchema;
import dev.superstep.store.jdbc.postgres.PostgresTransactions;
import dev.superstep.store.jdbc.postgres.StatementNames;
import dev.superstep.store.jdbc.sql.Operation;
import javax.sql.DataSource;

/// Keeps threads in a PostgreSQL database, which any number of processes on any machines may use at
/// once.
///
/// A write is committed when its method returns. A checkpoint costs what it changed: values that
/// did not change, and items that stay in a list, are not written again. To commit one that adds no
/// name, log or large batch, the store waits for the server twice. Leases last by the clock of the
/// database. Safe for many threads, virtual ones included; a call that has begun ends even if its
/// thread is interrupted.
///
/// The tables are in the schema `superstep`, which is made when it is missing. Between transactions
/// nothing depends on a session, so the connections may come from a pooler like PgBouncer in
/// transaction mode; run [#migrate] once over a direct connection then, because making tables does
/// depend on one. Reads are tried again on another connection if theirs was lost, and so are writes
/// of which nothing can have been committed. A commit that the server refuses has failed for
/// certain; only one whose answer was lost is reported as unknown.
///
/// Needs the driver (`org.postgresql:postgresql`) and Flyway
/// (`org.flywaydb:flyway-database-postgresql`) on the class path. Every method throws [StoreFailed]
/// if the database cannot be used, holds something that this program did not write, or the store
/// was closed.
public final class PostgresCheckpointer extends JdbcCheckpointer {
  private final PostgresTransactions transactions;

  /// The ways to send statements.
  public enum Statements {
    /// [#PREPARED] where connections lead to the server itself, [#UNNAMED] behind a pooler. A
    /// pooler is recognised by the process ids that it gives to its clients: they are not those of
    /// the server's sessions. Each transaction compares them before it writes.
    AUTOMATIC,
    /// Sent as text each time, which the server parses and plans again. Works behind any pooler.
    UNNAMED,
    /// As text for the first few times, then by the name of a plan that the server keeps for the
    /// connection, which takes half of its processor time. For connections to the server itself, or
    /// through a pooler that knows of prepared statements, such as PgBouncer from version 1.21 on
    /// with `max_prepared_statements`.
    PREPARED;

    private StatementNames names() {
      return switch (this) {
        case AUTOMATIC -> StatementNames.unlessPooled();
        case UNNAMED -> StatementNames.never();
        case PREPARED -> StatementNames.always();
      };
    }
  }

  private PostgresCheckpointer(PostgresTransactions transactions) {
    this.transactions = transactions;
  }

  /// A store in the database to which the connections lead, with statements that are
  /// [Statements#AUTOMATIC].
  ///
  /// @param source where connections come from, best a pool; it is not closed with the store
  /// @throws StoreFailed if the database cannot be used
  public static PostgresCheckpointer on(DataSource source) {
    return on(source, Statements.AUTOMATIC);
  }

  /// A store in the database to which the connections lead.
  ///
  /// @param source where connections come from, best a pool; it is not closed with the store
  /// @throws StoreFailed if the database cannot be used
  public static PostgresCheckpointer on(DataSource source, Statements statements) {
    return new PostgresCheckpointer(PostgresTransactions.on(source, statements.names()));
  }

  /// Makes the tables, or brings them up to what this program needs. [#on] does it, too, if it is
  /// needed.
  ///
  /// @param source gives two connections at once, to the server itself
  /// @throws StoreFailed if the database cannot be used
  public static void migrate(DataSource source) {
    PostgresSchema.upgrade(source);
  }

  /// Lets the server use space of deleted rows again. It does that by itself, too, from time to
  /// time.
  @Override
  public void compact() {
    transactions.outsideTransaction(PostgresSchema::vacuum);
  }

  @Override
  public void close() {
    transactions.close();
  }

  @Override
  <T> T read(Operation<T> operation) {
    return transactions.read(operation);
  }

  @Override
  boolean isRemote() {
    return true;
  }

  @Override
  <T> T write(Operation<T> operation) {
    return transactions.write(operation);
  }

  @Override
  public String toString() {
    return "PostgresCheckpointer[" + transactions + "]";
  }
}
