package dev.superstep.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.store.jdbc.PostgresCheckpointer.Statements;
import dev.superstep.test.postgres.PostgresServer;
import dev.superstep.testkit.FullCheckpointerSuite;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/// PostgreSQL with statements that the server keeps.
final class PreparedCheckpointerTest implements FullCheckpointerSuite {
  private static final HikariDataSource POOL =
      Postgres.pool(PostgresServer.shared().freshDatabase());
  private static final String KEPT =
      "select count(*) from pg_prepared_statements where statement like '%thread%'";

  @Override
  public Checkpointer fresh() {
    PostgresCheckpointer.migrate(POOL);
    try {
      Postgres.empty(POOL);
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
    return PostgresCheckpointer.on(POOL, Statements.PREPARED);
  }

  @Override
  public Optional<Checkpointer> reopened() {
    return Optional.of(PostgresCheckpointer.on(POOL, Statements.PREPARED));
  }

  @Test
  void statements_are_prepared_on_the_server_only_if_allowed() throws Exception {
    assertThat(keptAfterUse(Statements.UNNAMED)).isEqualTo("0");
    assertThat(keptAfterUse(Statements.AUTOMATIC)).isNotEqualTo("0");
    assertThat(keptAfterUse(Statements.PREPARED)).isNotEqualTo("0");
  }

  private static String keptAfterUse(Statements statements) throws SQLException {
    var database = PostgresServer.shared().freshDatabase();
    try (var several = Postgres.pool(database)) {
      PostgresCheckpointer.migrate(several);
    }
    try (var one = Postgres.pool(database)) {
      one.setMaximumPoolSize(1);
      try (var store = PostgresCheckpointer.on(one, statements)) {
        for (int i = 0; i < 10; i++) {
          store.release(store.acquire("t", "me", Duration.ofMinutes(1)));
        }
      }
      return Postgres.text(one, KEPT);
    }
  }

  @Override
  public Optional<Checkpointer> another() {
    return Optional.of(PostgresCheckpointer.on(POOL, Statements.PREPARED));
  }

  @AfterAll
  static void close() {
    POOL.close();
  }
}
