package dev.superstep.bench.limit;

import dev.superstep.bench.limit.Rows.Row;
import dev.superstep.bench.measure.Folder;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/// A store of rows that runs of threads add. It has two forms. The plain one adds the rows and
/// guarantees nothing; a run that begins or asks adds none. The guarded one guarantees what a
/// checkpointer guarantees: a thread has one holder at a time, by a lease that ends by itself; a
/// holder that has lost its lease cannot write, by a fencing number; a row is only added on top of
/// the newest one; all earlier rows stay; the first answer to a question counts. Each method is
/// then one transaction. Closing it deletes it.
interface RowStore extends AutoCloseable {
  /// The time for which a thread stays leased when its holder dies.
  Duration LEASE = Duration.ofSeconds(30);

  /// A taken thread. Immutable.
  ///
  /// @param fence the number of the lease, which is higher than those of all earlier ones
  /// @param step that of the newest row
  /// @param body that of the newest row
  record Held(String thread, long fence, int step, String body) {
    Held at(int newStep, String newBody) {
      return new Held(thread, fence, newStep, newBody);
    }
  }

  /// A write was refused: the thread is taken, or was taken by somebody else.
  static IllegalStateException refused(String thread) {
    return new IllegalStateException("the thread `" + thread + "` belongs to somebody else");
  }

  /// Opens a new store of one form.
  @FunctionalInterface
  interface Opener {
    RowStore open(String kind) throws Exception;
  }

  /// A new store without guarantees.
  ///
  /// @param kind `none`, `memory`, `sqlite` or `postgres`
  static RowStore plain(String kind) throws Exception {
    return new PlainRowStore(Rows.open(kind));
  }

  /// A new store with guarantees.
  ///
  /// @param kind `memory`, `sqlite` or `postgres`
  static RowStore guarded(String kind) throws Exception {
    return switch (kind) {
      case "memory" -> new GuardedMemoryRows();
      case "sqlite" -> GuardedSqlRows.sqlite(Folder.fresh());
      case "postgres" -> GuardedPostgresRows.fresh();
      default -> throw new IllegalArgumentException("no guarded store is called `" + kind + "`");
    };
  }

  /// Takes a thread that has no rows yet, and adds the first one.
  Held begin(String thread, String next, Supplier<String> body) throws SQLException;

  /// Adds a row on top of the newest one.
  Held add(Held held, String next, String body) throws SQLException;

  /// Adds the last row and gives the lease back.
  void end(Held held, String next, String body) throws SQLException;

  /// Keeps a question beside the newest row and gives the lease back.
  void ask(Held held, String question) throws SQLException;

  /// Takes a thread, keeps the answer to its question, and loads its newest row.
  Held answer(String thread, String answer) throws SQLException;

  /// The newest row of a thread.
  Row last(String thread) throws SQLException;

  /// Rows of a thread before a step, the newest first.
  List<Row> page(String thread, int before, int limit) throws SQLException;

  /// A store for another thread of the program. In a database it has the same rows.
  RowStore another() throws SQLException;

  /// The size on the disk.
  default long bytes() throws Exception {
    return 0;
  }

  @Override
  default void close() throws IOException, SQLException {}
}
