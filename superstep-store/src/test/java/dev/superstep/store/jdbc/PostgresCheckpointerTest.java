package dev.superstep.store.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.test.postgres.PostgresServer;
import dev.superstep.testkit.FullCheckpointerSuite;
import java.sql.SQLException;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;

final class PostgresCheckpointerTest implements FullCheckpointerSuite {
  private static final HikariDataSource POOL =
      Postgres.pool(PostgresServer.shared().freshDatabase());

  @Override
  public Checkpointer fresh() {
    PostgresCheckpointer.migrate(POOL);
    try {
      Postgres.empty(POOL);
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
    return PostgresCheckpointer.on(POOL);
  }

  @Override
  public Optional<Checkpointer> reopened() {
    return Optional.of(PostgresCheckpointer.on(POOL));
  }

  @Override
  public Optional<Checkpointer> another() {
    return Optional.of(PostgresCheckpointer.on(POOL));
  }

  @AfterAll
  static void close() {
    POOL.close();
  }
}
