package dev.superstep.store.jdbc.service;

import java.sql.SQLException;

/// Carries a failure of the database through the work of a caller. The transaction knows it, too.
final class SqlFailure extends RuntimeException {
  private static final long serialVersionUID = 1;

  SqlFailure(SQLException failure) {
    super(failure);
  }
}
