package dev.superstep.test.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

final class PgBouncerTest {
  @Test
  void a_transaction_takes_the_session_of_another_connection() throws SQLException {
    assumeThat(PgBouncer.program()).as("pgbouncer is installed").isPresent();
    var database = PostgresServer.shared().freshDatabase();
    try (var pooler = PgBouncer.before(PostgresServer.shared());
        var one = pooler.of(database).connect();
        var other = pooler.of(database).connect()) {
      int first = session(one);
      other.setAutoCommit(false);
      assertThat(session(other)).isEqualTo(first);
      assertThat(session(one)).isNotEqualTo(first);
      other.rollback();
    }
  }

  private static int session(Connection connection) throws SQLException {
    try (var statement = connection.createStatement();
        var rows = statement.executeQuery("select pg_backend_pid()")) {
      rows.next();
      return rows.getInt(1);
    }
  }
}
