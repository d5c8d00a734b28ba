package dev.superstep.store.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import dev.superstep.store.Store;
import dev.superstep.store.StoreOptions;
import dev.superstep.test.postgres.PgBouncer;
import dev.superstep.test.postgres.PostgresServer;
import dev.superstep.testkit.StoreSuite;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;

/// The long-term store behind a PgBouncer in transaction mode.
final class PooledStoreTest implements StoreSuite {
  private static PgBouncer pooler;
  private final HikariDataSource pool = new HikariDataSource();

  @BeforeAll
  static void open() {
    pooler = Pooler.orSkip();
  }

  @Override
  public Store fresh(StoreOptions options) {
    var database = PostgresServer.shared().freshDatabase();
    PostgresCheckpointer.migrate(database.dataSource());
    pool.setJdbcUrl(pooler.of(database).url());
    pool.setMaximumPoolSize(5);
    return PostgresStore.on(pool, options);
  }

  @Override
  public Optional<Store> reopened(StoreOptions options) {
    return Optional.of(PostgresStore.on(pool, options));
  }

  @AfterEach
  void close() {
    pool.close();
  }
}
