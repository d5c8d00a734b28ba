package dev.superstep.server.sdk;

import com.zaxxer.hikari.HikariDataSource;
import dev.superstep.test.postgres.PostgresDatabase;

/// Pools of connections to databases of tests.
final class Pools {
  private Pools() {}

  static HikariDataSource of(PostgresDatabase database) {
    return at(database.url());
  }

  static HikariDataSource at(String url) {
    var pool = new HikariDataSource();
    pool.setJdbcUrl(url);
    pool.setMaximumPoolSize(12);
    // A machine at load takes its time.
    pool.setConnectionTimeout(60_000);
    return pool;
  }
}
