package dev.superstep.server.sdk;

import com.zaxxer.hikari.HikariDataSource;
import dev.superstep.test.postgres.PostgresDatabase;

/// Pools of connections to databases of tests.
final class Pools {
  /// The property that says how many milliseconds a pool waits for a connection.
  static final String WAIT = "superstep.fixturePoolWait";

  private Pools() {}

  static HikariDataSource of(PostgresDatabase database) {
    return at(database.url());
  }

  static HikariDataSource at(String url) {
    var pool = new HikariDataSource();
    pool.setJdbcUrl(url);
    pool.setMaximumPoolSize(12);
    // A machine at load takes its time.
    pool.setConnectionTimeout(Integer.getInteger(WAIT, 60_000));
    return pool;
  }
}
