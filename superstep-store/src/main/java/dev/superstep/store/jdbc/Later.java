package dev.superstep.store.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What a query gives, which may not have been sent yet: several go to the server on one way. One
/// thread at a time.
final class Later<T> {
  private final Sql sql;
  private final Sql.Row<T> row;
  private @Nullable List<T> rows;

  Later(Sql sql, Sql.Row<T> row) {
    this.sql = sql;
    this.row = row;
  }

  static <T> Later<T> nothing(Sql sql) {
    var nothing =
        new Later<T>(
            sql,
            _ -> {
              throw new IllegalStateException("it is not a query");
            });
    nothing.are(List.of());
    return nothing;
  }

  /// The first row, for which the query is sent now if it was not yet.
  Optional<T> first() throws SQLException {
    return all().stream().findFirst();
  }

  /// The first row, if the query was sent and gave one.
  Optional<T> known() {
    return rows == null ? Optional.empty() : rows.stream().findFirst();
  }

  List<T> all() throws SQLException {
    if (rows == null) sql.flush();
    if (rows == null) throw new IllegalStateException("a query was not sent");
    return rows;
  }

  void are(List<T> known) {
    rows = known;
  }

  void read(@Nullable ResultSet from) throws SQLException {
    var read = new ArrayList<T>();
    while (from != null && from.next()) read.add(row.read(from));
    are(read);
  }
}
