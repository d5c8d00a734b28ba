package dev.superstep.store.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.EncryptedCheckpointer;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.checkpoint.KeyRing;
import dev.superstep.graph.RunOptions;
import dev.superstep.run.Durability;
import dev.superstep.store.InMemoryStore;
import dev.superstep.store.Store;
import dev.superstep.test.postgres.PostgresServer;
import java.nio.file.Path;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A fresh place for threads whose costs are measured.
final class GrowthPlace implements AutoCloseable {
  private static final Set<String> WAITS =
      Set.of("execute", "executeQuery", "executeUpdate", "executeBatch", "commit", "rollback");

  private final Durability durability;
  private final CostMeter meter = new CostMeter();
  private final Path folder;
  private final Kind kind;
  private final int concurrency;
  private @Nullable HikariDataSource pool;
  private @Nullable Checkpointer store;

  /// A kind of store.
  enum Kind {
    NOWHERE,
    MEMORY,
    ENCRYPTED,
    SQLITE,
    POSTGRES;

    boolean isPersistent() {
      return this != NOWHERE;
    }
  }

  /// @param concurrency of runs; with 1, counts are nearly the same each time
  GrowthPlace(Kind kind, Durability durability, int concurrency, Path folder) {
    this.kind = kind;
    this.durability = durability;
    this.concurrency = concurrency;
    this.folder = folder;
    this.store = open();
  }

  private @Nullable Checkpointer open() {
    return switch (kind) {
      case NOWHERE -> null;
      case MEMORY -> new InMemoryCheckpointer();
      case ENCRYPTED ->
          EncryptedCheckpointer.over(new InMemoryCheckpointer(), KeyRing.of("one", new byte[32]));
      case SQLITE -> {
        var sqlite = SqliteCheckpointer.open(folder.resolve("threads.db"));
        meter.watch(sqlite);
        yield sqlite;
      }
      case POSTGRES -> {
        pool = Postgres.pool(PostgresServer.shared().freshDatabase());
        yield PostgresCheckpointer.on(
            Postgres.counted(
                pool,
                method -> {
                  if (WAITS.contains(method)) meter.count();
                }));
      }
    };
  }

  CostMeter meter() {
    return meter;
  }

  Checkpointer store() {
    if (store == null) throw new IllegalStateException("nothing is kept here");
    return store;
  }

  RunOptions options() {
    return options("thread");
  }

  RunOptions options(String thread) {
    var options =
        store == null
            ? RunOptions.defaults()
            : RunOptions.thread(thread).checkpoints(store).durability(durability);
    return options.stepLimit(2_000_000).concurrency(concurrency);
  }

  /// A fresh long-term store.
  Store memory() {
    return switch (kind) {
      case NOWHERE, MEMORY, ENCRYPTED -> InMemoryStore.open();
      case SQLITE -> SqliteStore.open(folder.resolve("store.db"));
      case POSTGRES -> {
        if (pool == null) throw new IllegalStateException("not open");
        yield PostgresStore.on(pool);
      }
    };
  }

  @Override
  public void close() {
    if (store != null) store.close();
    if (pool != null) pool.close();
  }
}
