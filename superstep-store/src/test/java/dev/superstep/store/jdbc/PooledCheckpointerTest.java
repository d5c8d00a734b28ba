package dev.superstep.store.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.test.postgres.PostgresDatabase;
import dev.superstep.test.postgres.PostgresServer;
import dev.superstep.testkit.FullCheckpointerSuite;
import java.sql.SQLException;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/// The store behind a PgBouncer in transaction mode. The tables are made on a direct connection, as
/// they must be.
final class PooledCheckpointerTest implements FullCheckpointerSuite {
  private static PostgresDatabase database;
  private static HikariDataSource pooled;

  @BeforeAll
  static void open() {
    var pooler = Pooler.orSkip();
    database = PostgresServer.shared().freshDatabase();
    PostgresCheckpointer.migrate(database.dataSource());
    pooled = Postgres.pool(pooler.of(database));
  }

  @Override
  public Checkpointer fresh() {
    try {
      Postgres.empty(database.dataSource());
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
    return PostgresCheckpointer.on(pooled);
  }

  @Override
  public Optional<Checkpointer> reopened() {
    return Optional.of(PostgresCheckpointer.on(pooled));
  }

  @Override
  public Optional<Checkpointer> another() {
    return Optional.of(PostgresCheckpointer.on(pooled));
  }

  @AfterAll
  static void close() {
    if (pooled != null) pooled.close();
  }
}
