package dev.superstep.bench.workload;

import com.zaxxer.hikari.HikariDataSource;
import dev.superstep.bench.measure.Database;
import dev.superstep.bench.measure.Folder;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.RunOptions;
import dev.superstep.store.jdbc.PostgresCheckpointer;
import dev.superstep.store.jdbc.PostgresCheckpointer.Statements;
import dev.superstep.store.jdbc.SqliteCheckpointer;
import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/// Where the threads of a workload are kept, if they are. Closing it deletes the files.
final class ThreadStorage implements AutoCloseable {
  private static final AtomicInteger OPENED = new AtomicInteger();

  private final int number = OPENED.incrementAndGet();
  private final Optional<Checkpointer> store;
  private final Size size;
  private final Closeable place;

  /// How much is on the disk.
  private interface Size {
    long bytes() throws Exception;
  }

  private ThreadStorage(Optional<Checkpointer> store, Size size, Closeable place) {
    this.store = store;
    this.size = size;
    this.place = place;
  }

  /// A new store.
  ///
  /// @param kind `none`, `memory`, `sqlite` or `postgres`
  static ThreadStorage open(String kind) throws Exception {
    return switch (kind) {
      case "none" -> new ThreadStorage(Optional.empty(), () -> 0, () -> {});
      case "memory" ->
          new ThreadStorage(Optional.of(new InMemoryCheckpointer()), () -> 0, () -> {});
      case "sqlite" -> {
        var folder = Folder.fresh();
        var store = SqliteCheckpointer.open(folder.file("threads.db"));
        yield new ThreadStorage(Optional.of(store), folder::bytes, folder);
      }
      case "postgres" -> {
        var pool = new HikariDataSource();
        pool.setJdbcUrl(Database.url());
        var store = PostgresCheckpointer.on(pool, Statements.PREPARED);
        yield new ThreadStorage(Optional.of(store), Database::bytes, pool);
      }
      default -> throw new IllegalArgumentException("there is no store `" + kind + "`");
    };
  }

  /// Options for a thread that no earlier store of this process has.
  RunOptions options(String thread) {
    return store
        .map(kept -> RunOptions.thread(thread + "-" + number).checkpoints(kept))
        .orElse(RunOptions.defaults());
  }

  /// What is kept, so that a test of it is possible.
  Optional<Checkpointer> store() {
    return store;
  }

  /// How much is on the disk, the log of the database included.
  long bytes() throws Exception {
    return size.bytes();
  }

  @Override
  public void close() throws IOException {
    store.ifPresent(Checkpointer::close);
    place.close();
  }
}
