package dev.superstep.store.jdbc.sql;

import java.sql.SQLException;

/// Work on the database inside a transaction that someone else begins and ends. It may be run a
/// second time after a rollback, so it has no effect but on the database.
public interface Operation<T> {
  T run(Sql sql) throws SQLException;
}
