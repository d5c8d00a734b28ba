package dev.superstep.store.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One connection with its prepared statements. One thread at a time.
final class Sql implements AutoCloseable {
  private static final int FETCHED = 500;

  private final Connection connection;
  // Bounded by the statements that are written in this package.
  private final Map<String, PreparedStatement> prepared = new HashMap<>();

  Sql(Connection connection) {
    this.connection = connection;
  }

  /// Makes a value of the current row.
  interface Row<T> {
    T read(ResultSet row) throws SQLException;
  }

  /// Looks at the current row.
  interface Each {
    void row(ResultSet row) throws SQLException;
  }

  /// Runs any number of statements, without parameters and without results.
  void script(String statements) throws SQLException {
    try (var statement = connection.createStatement()) {
      statement.executeUpdate(statements);
    }
  }

  /// Runs one statement.
  ///
  /// @return how many rows it changed
  int update(String statement, @Nullable Object... arguments) throws SQLException {
    return run(statement, PreparedStatement::executeUpdate, arguments);
  }

  /// Inserts a row with a statement that ends in `returning id`.
  long insert(String statement, @Nullable Object... arguments) throws SQLException {
    return first(statement, row -> row.getLong(1), arguments).orElseThrow();
  }

  <T> Optional<T> first(String query, Row<T> read, @Nullable Object... arguments)
      throws SQLException {
    return all(query, read, arguments).stream().findFirst();
  }

  <T> List<T> all(String query, Row<T> read, @Nullable Object... arguments) throws SQLException {
    return run(query, bound -> rows(bound, read), arguments);
  }

  /// Shows each row without holding them all.
  void each(String query, Each see, @Nullable Object... arguments) throws SQLException {
    run(
        query,
        bound -> {
          bound.setFetchSize(FETCHED);
          try (var rows = bound.executeQuery()) {
            while (rows.next()) see.row(rows);
          }
          return true;
        },
        arguments);
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }

  private interface Use<T> {
    T of(PreparedStatement statement) throws SQLException;
  }

  private <T> T run(String text, Use<T> use, @Nullable Object... arguments) throws SQLException {
    var statement = prepared(text);
    try {
      for (int i = 0; i < arguments.length; i++) statement.setObject(i + 1, arguments[i]);
      var result = use.of(statement);
      // Else the statement would keep a large argument until its next use.
      statement.clearParameters();
      return result;
    } catch (SQLException | RuntimeException e) {
      // The driver ends a statement that failed, so it must not be used again.
      prepared.remove(text);
      try (statement) {
        throw e;
      }
    }
  }

  private PreparedStatement prepared(String text) throws SQLException {
    var known = prepared.get(text);
    if (known != null) return known;
    var statement = connection.prepareStatement(text);
    prepared.put(text, statement);
    return statement;
  }

  private static <T> List<T> rows(PreparedStatement statement, Row<T> read) throws SQLException {
    try (var rows = statement.executeQuery()) {
      var result = new ArrayList<T>();
      while (rows.next()) result.add(read.read(rows));
      return result;
    }
  }
}
