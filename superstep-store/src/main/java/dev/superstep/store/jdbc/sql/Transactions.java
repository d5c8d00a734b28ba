package dev.superstep.store.jdbc.sql;

/// Runs operations on a database, each in a transaction of its own. Safe for many threads.
/// Everything throws [dev.superstep.checkpoint.StoreFailed] if the database cannot be used.
public interface Transactions extends AutoCloseable {
  <T> T write(Operation<T> operation);

  <T> T read(Operation<T> operation);

  @Override
  void close();
}
