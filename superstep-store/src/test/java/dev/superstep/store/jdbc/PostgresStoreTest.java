package dev.superstep.store.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import dev.superstep.store.Store;
import dev.superstep.store.StoreOptions;
import dev.superstep.test.postgres.PostgresServer;
import dev.superstep.testkit.StoreSuite;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;

final class PostgresStoreTest implements StoreSuite {
  private final HikariDataSource pool = new HikariDataSource();

  @Override
  public Store fresh(StoreOptions options) {
    pool.setJdbcUrl(PostgresServer.shared().freshDatabase().url());
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
