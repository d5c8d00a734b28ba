package dev.superstep.store.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One connection with its prepared statements. One thread at a time.
final class Sql implements AutoCloseable {
  private static final int PREPARED_MAX = 200;
  private static final int FETCHED = 500;

  private final Connection connection;
  private final Dialect dialect;
  private final Names names;
  private final Map<String, PreparedStatement> prepared = new LinkedHashMap<>(16, 0.75f, true);
  private final List<Runnable> afterCommit = new ArrayList<>();
  private List<String> settings = List.of();

  Sql(Connection connection, Dialect dialect, Names names) {
    this.connection = connection;
    this.dialect = dialect;
    this.names = names;
  }

  /// Makes settings of the transaction that begins, on one way with its first statement.
  Sql with(List<String> first) {
    settings = first;
    return this;
  }

  /// Makes a value of the current row.
  interface Row<T> {
    T read(ResultSet row) throws SQLException;
  }

  /// Looks at the current row.
  interface Each {
    void row(ResultSet row) throws SQLException;
  }

  Dialect dialect() {
    return dialect;
  }

  Names names() {
    return names;
  }

  /// Does something when what was written until now is committed, and never if it is rolled back.
  void afterCommit(Runnable action) {
    afterCommit.add(action);
  }

  void committed() {
    afterCommit.forEach(Runnable::run);
    afterCommit.clear();
  }

  void rolledBack() {
    afterCommit.clear();
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
    return run(
        statement,
        bound -> {
          bind(bound, arguments);
          return changed(bound);
        });
  }

  /// Runs one statement for each list of arguments.
  void batch(String statement, Collection<? extends List<? extends @Nullable Object>> arguments)
      throws SQLException {
    if (arguments.isEmpty()) return;
    if (!settings.isEmpty()) throw new IllegalStateException("a transaction began with a batch");
    run(
        statement,
        bound -> {
          for (var one : arguments) {
            bind(bound, one.toArray());
            bound.addBatch();
          }
          return bound.executeBatch();
        });
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
    return run(
        query,
        bound -> {
          bind(bound, arguments);
          return rows(bound, read);
        });
  }

  /// Shows each row without holding them all.
  void each(String query, Each see, @Nullable Object... arguments) throws SQLException {
    // On a way of their own: PostgreSQL gives rows piece by piece to a query that is sent alone.
    if (!settings.isEmpty()) script(String.join("; ", settings));
    settings = List.of();
    run(
        query,
        bound -> {
          bind(bound, arguments);
          bound.setFetchSize(FETCHED);
          try (var rows = bound.executeQuery()) {
            while (rows.next()) see.row(rows);
          }
          return true;
        });
  }

  /// `(?, ?, ?)`, for so many.
  static String places(int many) {
    return "(" + String.join(", ", Collections.nCopies(many, "?")) + ")";
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }

  private interface Use<T> {
    T of(PreparedStatement statement) throws SQLException;
  }

  private <T> T run(String statementText, Use<T> use) throws SQLException {
    var text =
        settings.isEmpty() ? statementText : String.join("; ", settings) + "; " + statementText;
    var statement = prepared(text);
    try {
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
    if (prepared.size() == PREPARED_MAX) {
      // The one that was not used for longest.
      var oldest = prepared.entrySet().iterator();
      oldest.next().getValue().close();
      oldest.remove();
    }
    var statement = connection.prepareStatement(text);
    prepared.put(text, statement);
    return statement;
  }

  private static void bind(PreparedStatement statement, @Nullable Object... arguments)
      throws SQLException {
    for (int i = 0; i < arguments.length; i++) statement.setObject(i + 1, arguments[i]);
  }

  private int changed(PreparedStatement statement) throws SQLException {
    if (settings.isEmpty()) return statement.executeUpdate();
    executeAfterSettings(statement);
    return statement.getUpdateCount();
  }

  private <T> List<T> rows(PreparedStatement statement, Row<T> read) throws SQLException {
    try (var rows = query(statement)) {
      var result = new ArrayList<T>();
      while (rows.next()) result.add(read.read(rows));
      return result;
    }
  }

  private ResultSet query(PreparedStatement statement) throws SQLException {
    if (settings.isEmpty()) return statement.executeQuery();
    executeAfterSettings(statement);
    return statement.getResultSet();
  }

  /// Each setting has a result of its own, without anything in it.
  private void executeAfterSettings(PreparedStatement statement) throws SQLException {
    statement.execute();
    for (int i = 0; i < settings.size(); i++) statement.getMoreResults();
    settings = List.of();
  }
}
