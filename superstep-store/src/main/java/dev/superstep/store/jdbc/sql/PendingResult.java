package dev.superstep.store.jdbc.sql;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The result of a query that may not have been sent yet, because several statements are sent
/// together. For one thread at a time.
public final class PendingResult<T> {
  private final Sql sql;
  private final Sql.RowReader<T> row;
  private @Nullable List<T> rows;
  private @Nullable Query<T> query;

  /// A query that is run when its result is needed.
  interface Query<T> {
    List<T> run() throws SQLException;
  }

  PendingResult(Sql sql, Sql.RowReader<T> row) {
    this.sql = sql;
    this.row = row;
  }

  public static <T> PendingResult<T> empty(Sql sql) {
    var empty =
        new PendingResult<T>(
            sql,
            _ -> {
              throw new IllegalStateException("it is not a query");
            });
    empty.resolve(List.of());
    return empty;
  }

  /// Returns the first row, sending the query if it was not sent yet.
  public Optional<T> first() throws SQLException {
    return all().stream().findFirst();
  }

  /// Returns the first row, if the query was sent and returned one.
  public Optional<T> firstIfSent() {
    return rows == null ? Optional.empty() : rows.stream().findFirst();
  }

  public List<T> all() throws SQLException {
    if (rows == null && query != null) rows = query.run();
    if (rows == null) sql.flush();
    if (rows == null) throw new IllegalStateException("a query was not sent");
    return rows;
  }

  /// A result whose query is run when it is needed.
  PendingResult<T> of(Query<T> lazy) {
    query = lazy;
    return this;
  }

  void resolve(List<T> known) {
    rows = known;
  }

  void read(@Nullable ResultSet from) throws SQLException {
    var read = new ArrayList<T>();
    while (from != null && from.next()) read.add(row.read(from));
    resolve(read);
  }
}
