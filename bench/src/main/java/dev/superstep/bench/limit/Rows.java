package dev.superstep.bench.limit;

import dev.superstep.bench.measure.Folder;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;

/// The least store: one row for each step of a thread. Closing it deletes it. One thread at a time.
interface Rows extends AutoCloseable {
  /// One row.
  record Row(String thread, int step, String next, String body) {}

  /// A new store.
  ///
  /// @param kind `none`, `memory`, `sqlite` or `postgres`
  static Rows open(String kind) throws Exception {
    return switch (kind) {
      case "none" -> new NoRows();
      case "memory" -> new MemoryRows();
      case "sqlite" -> SqlRows.sqlite(Folder.fresh());
      case "postgres" -> SqlRows.postgres();
      default -> throw new IllegalArgumentException("there is no store `" + kind + "`");
    };
  }

  /// Adds a row in a transaction of its own.
  default void add(String thread, int step, String next, String body) throws SQLException {
    add(new Row(thread, step, next, body));
  }

  void add(Row row) throws SQLException;

  /// The newest row of a thread.
  Row last(String thread) throws SQLException;

  /// Rows of a thread before a step, the newest first.
  List<Row> page(String thread, int before, int limit) throws SQLException;

  /// Rows for another thread of the program. In a database they are the same.
  Rows another() throws SQLException;

  /// How much is on the disk.
  default long bytes() throws Exception {
    return 0;
  }

  @Override
  default void close() throws IOException, SQLException {}
}
