package dev.superstep.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.superstep.checkpoint.StoreFailed;
import dev.superstep.store.Namespace;
import dev.superstep.store.Search;
import dev.superstep.store.StoreOptions;
import dev.superstep.test.postgres.PostgresDatabase;
import dev.superstep.test.postgres.PostgresServer;
import dev.superstep.test.postgres.PostgresServer.Durability;
import java.sql.SQLException;
import java.util.concurrent.Executors;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// A PostgreSQL that dies, loses its clients, or belongs to others, too.
final class PostgresTroubleTest {
  private static final Namespace HERE = Namespace.of("here");
  private static final int POOL = 8;

  @Test
  void idle_connections_that_were_killed_are_not_noticed() throws Exception {
    var database = PostgresServer.shared().freshDatabase();
    try (var pool = pool(database);
        var store = PostgresStore.open(pool)) {
      for (int round = 0; round < 5; round++) {
        // Fills the pool, so that every connection in it is a dead one.
        atOnce(POOL * 2, i -> store.put(HERE, "k" + i, i));
        assertThat(database.killConnections()).isPositive();
        store.put(HERE, "after", round);
        assertThat(store.get(HERE, "after", Integer.class)).contains(round);
        database.killConnections();
        assertThat(store.search(Search.in(HERE).limit(100))).hasSize(POOL * 2 + 1);
      }
    }
  }

  @Test
  void what_was_put_survives_a_killed_server() {
    try (var server = PostgresServer.start(Durability.RELAXED);
        var pool = pool(server.freshDatabase());
        var store = PostgresStore.open(pool)) {
      store.put(HERE, "a", 1);
      server.kill();
      assertThatThrownBy(() -> store.put(HERE, "a", 2))
          .isInstanceOf(StoreFailed.class)
          .hasMessageContaining("PostgreSQL")
          .hasMessageContaining("check that it runs");
      server.restart();
      assertThat(store.get(HERE, "a", Integer.class)).contains(1);
      assertThat(store.put(HERE, "a", 3).version()).isGreaterThan(1);
    }
  }

  @Test
  void a_server_that_is_not_there_is_named() {
    try (var server = PostgresServer.start(Durability.RELAXED);
        var pool = pool(server.freshDatabase())) {
      server.stop();
      assertThatThrownBy(() -> PostgresStore.open(pool))
          .isInstanceOf(StoreFailed.class)
          .hasMessageContaining("check that it runs");
    }
  }

  @Test
  void a_schema_with_tables_and_migrations_of_others_is_shared() throws Exception {
    var database = PostgresServer.shared().freshDatabase();
    execute(database, "create table flyway_schema_history (id int); create table orders (id int)");
    try (var pool = pool(database)) {
      try (var store = PostgresStore.open(pool)) {
        store.put(HERE, "a", 1);
      }
      try (var store = PostgresStore.open(pool)) {
        assertThat(store.get(HERE, "a", Integer.class)).contains(1);
      }
    }
    execute(database, "select * from superstep_store_history, orders, flyway_schema_history");
  }

  @Test
  void of_several_that_open_a_new_database_at_once_all_succeed() throws Exception {
    try (var pool = pool(PostgresServer.shared().freshDatabase())) {
      atOnce(
          4,
          i -> {
            try (var store = PostgresStore.open(pool)) {
              return store.put(HERE, "k" + i, i);
            }
          });
      try (var store = PostgresStore.openAsIs(pool, StoreOptions.defaults())) {
        assertThat(store.search(Search.in(HERE))).hasSize(4);
      }
    }
  }

  @Test
  void missing_tables_are_explained() {
    try (var pool = pool(PostgresServer.shared().freshDatabase());
        var store = PostgresStore.openAsIs(pool, StoreOptions.defaults())) {
      assertThatThrownBy(() -> store.get(HERE, "a"))
          .isInstanceOf(StoreFailed.class)
          .hasMessageContaining("open it once with `PostgresStore.open`");
      store.close();
      assertThatThrownBy(() -> store.get(HERE, "a"))
          .isInstanceOf(StoreFailed.class)
          .hasMessageContaining("closed");
    }
  }

  @Test
  void a_source_without_a_pool_works_and_nothing_is_left_open() throws Exception {
    var database = PostgresServer.shared().freshDatabase();
    try (var store = PostgresStore.open(database.dataSource())) {
      for (int i = 0; i < 300; i++) store.put(HERE, "k", i);
      assertThat(store.get(HERE, "k", Integer.class)).contains(299);
    }
  }

  private static void atOnce(int times, IntFunction<Object> act) throws Exception {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var running =
          IntStream.range(0, times).mapToObj(i -> threads.submit(() -> act.apply(i))).toList();
      for (var one : running) one.get();
    }
  }

  private static HikariDataSource pool(PostgresDatabase database) {
    var pool = new HikariDataSource();
    pool.setJdbcUrl(database.url());
    pool.setMaximumPoolSize(POOL);
    pool.setConnectionTimeout(10_000);
    return pool;
  }

  private static void execute(PostgresDatabase database, String statements) throws SQLException {
    try (var connection = database.connect();
        var statement = connection.createStatement()) {
      statement.execute(statements);
    }
  }
}
