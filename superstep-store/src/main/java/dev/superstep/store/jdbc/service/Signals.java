package dev.superstep.store.jdbc.service;

import dev.superstep.store.jdbc.sql.Sql;
import java.sql.SQLException;
import java.util.Collection;

/// Carries signals to other processes. Safe for many threads.
public interface Signals extends AutoCloseable {
  /// Sends signals with a transaction that is about to be committed.
  void send(Sql sql, Collection<String> topics) throws SQLException;

  @Override
  void close();
}
