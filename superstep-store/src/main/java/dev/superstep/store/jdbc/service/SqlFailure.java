package dev.superstep.store.jdbc.service;

import java.sql.SQLException;

/// Carries a failure of the database through the work of a caller.
final class SqlFailure extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final SQLException failure;

  SqlFailure(SQLException failure) {
    super(failure);
    this.failure = failure;
  }

  SQLException failure() {
    return failure;
  }
}
