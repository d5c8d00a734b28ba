package dev.superstep.store.jdbc.sqlite;

import dev.superstep.lock.Mutex;
import dev.superstep.store.jdbc.sql.Sql;
import java.sql.SQLException;
import java.util.concurrent.locks.Condition;

/// Moves pages of the write-ahead log into the database on a thread of its own, so that no commit
/// waits for the disk to do that: docs/decisions/0101. Safe for many threads.
///
/// A commit that is in the log is safe; an error here only lets the log grow until the next try.
final class WalCheckpointer {
  // How much of the log may wait for its checkpoint.
  private static final long BACKLOG_BYTES = 4_096_000;
  // From here on writers wait for the rest, because SQLite begins the log anew only when all of it
  // is in the database, which busy writers always prevent.
  private static final long LOG_BYTES = 2 * BACKLOG_BYTES;
  // Asking for the length of the log takes longer than a count.
  private static final int COMMITS_EACH = 32;
  // When this thread gets no turn on a processor, the writer does its work.
  private static final int CALLS_MAX = 8;
  private static final String LENGTH = "pragma wal_checkpoint(noop)";
  private static final String CHECKPOINT = "pragma wal_checkpoint(passive)";

  private final LazyConnection connection;
  private final Writers writers;
  private final Mutex lock = new Mutex();
  private final Condition called = lock.newCondition();
  private int calls;
  private boolean isClosed;
  private int commits;
  // How long the log was at the last checkpoint, of which a reader may have kept a part.
  private long tried;

  /// Keeps all processes from writing during an action.
  interface Writers {
    /// Runs the action, or returns false because another process is writing.
    boolean pause(Pause action) throws SQLException;
  }

  /// An action while nobody writes.
  interface Pause {
    void run() throws SQLException;
  }

  WalCheckpointer(LazyConnection connection, Writers writers) {
    this.connection = connection;
    this.writers = writers;
  }

  /// The frames of the log, and how many of them are in the database.
  private record Log(long frames, long done, long pageBytes) {
    boolean isLongerThan(long bytes) {
      return frames * pageBytes >= bytes;
    }

    boolean isDone() {
      return frames == done;
    }
  }

  /// Counts a commit of the writer, which does the work by itself when this thread is late.
  void committed(Sql writer) {
    if (++commits % COMMITS_EACH != 0 || call() <= CALLS_MAX) return;
    try {
      writer.first(CHECKPOINT, row -> row.getInt(1));
    } catch (SQLException _) {
      // What was committed stays so.
    }
  }

  /// @return how often this thread was called without an answer
  private int call() {
    try (var _ = lock.hold()) {
      called.signal();
      return ++calls;
    }
  }

  /// Serves calls until it is closed.
  void serve() {
    try (connection) {
      while (awaitCall()) {
        try {
          checkpoint(connection.sql());
        } catch (SQLException | RuntimeException _) {
          // A commit that cannot be made says so by itself.
        }
      }
    }
  }

  private boolean awaitCall() {
    try (var _ = lock.hold()) {
      while (calls == 0 && !isClosed) called.awaitUninterruptibly();
      calls = 0;
      return !isClosed;
    }
  }

  void close() {
    try (var _ = lock.hold()) {
      isClosed = true;
      called.signal();
    }
  }

  private void checkpoint(Sql sql) throws SQLException {
    long pageBytes = sql.first("pragma page_size", row -> row.getLong(1)).orElseThrow();
    var log = log(sql, LENGTH, pageBytes);
    if (log.frames() < tried) tried = 0;
    long waiting = log.frames() - Math.max(log.done(), tried);
    if (waiting * pageBytes < BACKLOG_BYTES) return;
    log(sql, CHECKPOINT, pageBytes);
    // Again, for that does not count what was written meanwhile.
    var left = log(sql, LENGTH, pageBytes);
    tried = left.frames();
    if (left.isDone() || !left.isLongerThan(LOG_BYTES)) return;
    writers.pause(() -> log(sql, CHECKPOINT, pageBytes));
  }

  private static Log log(Sql sql, String pragma, long pageBytes) throws SQLException {
    return sql.first(pragma, row -> new Log(row.getLong(2), row.getLong(3), pageBytes))
        .orElseThrow();
  }
}
