package dev.superstep.test.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class PostgresServerTest {
  @Test
  void the_shared_server_gives_each_caller_an_empty_database() throws SQLException {
    var one = PostgresServer.shared().freshDatabase();
    var other = PostgresServer.shared().freshDatabase();
    try (var in = one.connect();
        var out = other.connect()) {
      run(in, "create table kept (id int)");
      assertThat(one("select count(*) from pg_tables where tablename = 'kept'", in)).isEqualTo("1");
      assertThat(one("select count(*) from pg_tables where tablename = 'kept'", out))
          .isEqualTo("0");
    }
  }

  @Test
  void the_server_is_real_and_listens_on_this_machine_only() throws SQLException {
    try (var connection = PostgresServer.shared().freshDatabase().connect()) {
      assertThat(one("select version()", connection)).startsWith("PostgreSQL ");
      assertThat(one("show listen_addresses", connection)).isEqualTo("127.0.0.1");
      assertThat(one("show unix_socket_directories", connection)).isEmpty();
      assertThat(one("show fsync", connection)).isEqualTo("off");
    }
  }

  @Test
  void a_stopped_server_refuses_connections_and_keeps_its_data() throws SQLException {
    try (var server = PostgresServer.start(PostgresServer.Durability.SYNCED)) {
      var database = server.freshDatabase();
      keepOneRow(database);
      server.stop();
      assertThat(server.isRunning()).isFalse();
      assertThatThrownBy(database::connect).isInstanceOf(SQLException.class);
      server.restart();
      assertThat(rowIn(database)).isEqualTo("1");
      try (var connection = database.connect()) {
        assertThat(one("show fsync", connection)).isEqualTo("on");
      }
    }
  }

  @Test
  void a_killed_server_recovers_what_was_committed() throws Exception {
    try (var server = PostgresServer.start(PostgresServer.Durability.RELAXED)) {
      var database = server.freshDatabase();
      keepOneRow(database);
      try (var open = database.connect()) {
        server.kill();
        assertThatThrownBy(() -> one("select 1", open)).isInstanceOf(SQLException.class);
      }
      assertThatThrownBy(database::connect).isInstanceOf(SQLException.class);
      server.restart();
      assertThat(rowIn(database)).isEqualTo("1");
    }
  }

  @Test
  void killed_connections_fail_at_their_next_use_and_others_live() throws SQLException {
    var database = PostgresServer.shared().freshDatabase();
    var bystander = PostgresServer.shared().freshDatabase();
    try (var open = database.connect();
        var spared = bystander.connect()) {
      assertThat(database.killConnections()).isEqualTo(1);
      assertThatThrownBy(() -> one("select 1", open)).isInstanceOf(SQLException.class);
      assertThat(one("select 1", spared)).isEqualTo("1");
    }
    try (var again = database.connect()) {
      assertThat(one("select 1", again)).isEqualTo("1");
    }
  }

  @Test
  void a_server_that_cannot_start_again_says_why_with_its_log() throws Exception {
    try (var server = PostgresServer.start(PostgresServer.Durability.RELAXED);
        var squatter = new ServerSocket()) {
      server.stop();
      squatter.setReuseAddress(true);
      squatter.bind(new InetSocketAddress("127.0.0.1", server.port()));
      Thread.ofVirtual().start(() -> turnAway(squatter));
      assertThatThrownBy(() -> server.restart(Duration.ofSeconds(5)))
          .isInstanceOf(PostgresUnavailable.class)
          .hasMessageContaining("does not start again")
          .hasMessageContaining("user namespaces")
          .hasMessageContaining("could not bind");
    }
  }

  private static void turnAway(ServerSocket squatter) {
    try {
      while (!squatter.isClosed()) squatter.accept().close();
    } catch (IOException _) {
      // Closed at the end of the test.
    }
  }

  private static void keepOneRow(PostgresDatabase database) throws SQLException {
    try (var connection = database.connect()) {
      run(connection, "create table kept (id int)");
      run(connection, "insert into kept values (1)");
    }
  }

  private static String rowIn(PostgresDatabase database) throws SQLException {
    try (var connection = database.connect()) {
      return one("select id from kept", connection);
    }
  }

  private static void run(Connection connection, String statement) throws SQLException {
    try (var running = connection.createStatement()) {
      running.execute(statement);
    }
  }

  private static String one(String query, Connection connection) throws SQLException {
    try (var statement = connection.createStatement();
        var rows = statement.executeQuery(query)) {
      assertThat(rows.next()).isTrue();
      return rows.getString(1);
    }
  }
}
