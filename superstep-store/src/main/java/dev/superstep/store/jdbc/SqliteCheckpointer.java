package dev.superstep.store.jdbc;

import dev.superstep.checkpoint.StoreFailed;
import dev.superstep.store.jdbc.sql.Operation;
import dev.superstep.store.jdbc.sqlite.SqliteTransactions;
import java.nio.file.Path;

/// Keeps threads in one SQLite file, which several processes of one machine may use at once.
///
/// A write is in the file when its method returns; see [Durability] for what that survives. A
/// checkpoint costs what it changed: values that did not change, and items that stay in a list, are
/// not written again. Calls that come in at the same time share a transaction. Safe for many
/// threads, virtual ones included. A call that has begun ends even if its thread is interrupted.
///
/// Every method throws [StoreFailed] if the file cannot be used, holds something that this program
/// did not write, or was closed.
public final class SqliteCheckpointer extends JdbcCheckpointer {
  private final SqliteTransactions transactions;

  private SqliteCheckpointer(SqliteTransactions transactions) {
    this.transactions = transactions;
  }

  /// The failures that saved state survives.
  public enum Durability {
    /// A crash or kill of the process. Not always a power loss or a crash of the operating system:
    /// the file stays intact, but the last transactions may be missing.
    PROCESS_CRASH,
    /// A power loss, too. Each transaction waits for the disk.
    POWER_LOSS
  }

  /// Opens a store that survives a [Durability#PROCESS_CRASH].
  ///
  /// @param file is made, with its folders, if it does not exist; only its owner can read it then
  /// @throws StoreFailed if the file cannot be used
  public static SqliteCheckpointer open(Path file) {
    return open(file, SqliteOptions.defaults());
  }

  /// Opens a store.
  ///
  /// @param file is made, with its folders, if it does not exist; only its owner can read it then
  /// @throws StoreFailed if the file cannot be used
  public static SqliteCheckpointer open(Path file, SqliteOptions options) {
    return new SqliteCheckpointer(SqliteTransactions.open(file, options.settings()));
  }

  @Override
  public void compact() {
    transactions.outsideTransaction(sql -> {
      sql.script("pragma incremental_vacuum");
      // Else the file keeps its length until somebody else moves the log into it.
      return sql.first("pragma wal_checkpoint(truncate)", row -> row.getInt(1)).orElse(0);
    });
  }

  @Override
  public void close() {
    transactions.close();
  }

  /// Returns how many writes wait for others to end.
  int waitingWrites() {
    return transactions.waitingWrites();
  }

  @Override
  boolean isRemote() {
    return false;
  }

  @Override
  <T> T write(Operation<T> operation) {
    return transactions.write(operation);
  }

  @Override
  <T> T read(Operation<T> operation) {
    return transactions.read(operation);
  }

  @Override
  <T> T readOnWriter(Operation<T> operation) {
    return transactions.readOnWriter(operation);
  }

  @Override
  public String toString() {
    return "SqliteCheckpointer[" + transactions + "]";
  }
}
