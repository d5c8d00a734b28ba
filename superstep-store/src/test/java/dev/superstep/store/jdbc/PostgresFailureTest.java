package dev.superstep.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.checkpoint.StoreFailed;
import dev.superstep.store.Namespace;
import dev.superstep.store.Search;
import dev.superstep.test.postgres.PostgresServer;
import dev.superstep.test.postgres.PostgresServer.Durability;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// A PostgreSQL that dies, loses its clients, or belongs to others, too.
final class PostgresFailureTest {
  private static final List<String> DIGESTED =
      List.of("lineage", "channel", "value", "log", "log_item", "task", "step", "answer", "entry");

  private static final Namespace HERE = Namespace.of("here");
  private static final int PUTS = 16;

  @Test
  void idle_connections_that_were_killed_are_not_noticed() throws Exception {
    var database = PostgresServer.shared().freshDatabase();
    try (var pool = Postgres.pool(database);
        var store = PostgresStore.on(pool)) {
      for (int round = 0; round < 5; round++) {
        // Fills the pool, so that every connection in it is a dead one.
        atOnce(PUTS, i -> store.put(HERE, "k" + i, i));
        assertThat(database.killConnections()).isPositive();
        store.put(HERE, "after", round);
        assertThat(store.get(HERE, "after", Integer.class)).contains(round);
        database.killConnections();
        assertThat(store.search(Search.in(HERE).limit(100))).hasSize(PUTS + 1);
      }
    }
  }

  @Test
  void items_survive_a_killed_server() {
    try (var server = PostgresServer.start(Durability.RELAXED);
        // Without a pool, which would wait a long time for a server that is not there.
        var store = PostgresStore.on(server.freshDatabase().dataSource())) {
      store.put(HERE, "a", 1);
      server.kill();
      assertThatThrownBy(() -> store.put(HERE, "a", 2))
          .isInstanceOf(StoreFailed.class)
          .hasMessageContaining("jdbc:postgresql:")
          .hasMessageContaining("check that it runs");
      server.restart();
      assertThat(store.get(HERE, "a", Integer.class)).contains(1);
      assertThat(store.put(HERE, "a", 3).version()).isGreaterThan(1);
    }
  }

  @Test
  void a_server_that_is_not_there_is_named() {
    try (var server = PostgresServer.start(Durability.RELAXED)) {
      var source = server.freshDatabase().dataSource();
      server.stop();
      assertThatThrownBy(() -> PostgresStore.on(source))
          .isInstanceOf(StoreFailed.class)
          .hasMessageContaining("check that it runs");
    }
  }

  @Test
  void tables_of_others_with_the_same_names_are_left_alone() throws Exception {
    try (var pool = Postgres.pool(PostgresServer.shared().freshDatabase())) {
      Postgres.run(pool, "create table item (mine text)", "create table schema_history (id int)");
      try (var store = PostgresStore.on(pool)) {
        store.put(HERE, "a", 1);
      }
      try (var store = PostgresStore.on(pool)) {
        assertThat(store.get(HERE, "a", Integer.class)).contains(1);
      }
      assertThat(Postgres.text(pool, "select count(*) from public.item")).isEqualTo("0");
      assertThat(Postgres.text(pool, "select count(*) from superstep.item")).isEqualTo("1");
    }
  }

  @Test
  void one_database_holds_threads_and_items() throws Exception {
    try (var pool = Postgres.pool(PostgresServer.shared().freshDatabase());
        var runs = PostgresCheckpointer.on(pool);
        var store = PostgresStore.on(pool)) {
      store.put(HERE, "a", 1);
      var lease = Commits.hold(runs);
      assertThat(runs.commit(lease, Commits.nth(0))).isTrue();
      runs.delete(lease);
      assertThat(store.get(HERE, "a", Integer.class)).contains(1);
    }
  }

  @Test
  void a_database_with_threads_only_gets_the_tables_of_items() throws Exception {
    try (var pool = Postgres.pool(PostgresServer.shared().freshDatabase())) {
      try (var runs = PostgresCheckpointer.on(pool)) {
        assertThat(runs.commit(Commits.hold(runs), Commits.nth(0))).isTrue();
      }
      // As it was before there were items.
      Postgres.run(
          pool,
          "drop table superstep.item",
          "drop sequence superstep.item_version",
          "drop table superstep.service_document, superstep.service_log_entry,"
              + " superstep.service_log",
          "drop function superstep.service_unchanged",
          "delete from superstep.schema_history where version in ('2', '3', '4', '5')",
          "drop table superstep.blob",
          "update superstep.checkpoint set format = 1",
          "alter table superstep.thread drop column process, drop column binding",
          "alter table superstep.checkpoint drop column digest, drop column channels_digest,"
              + " drop column memories, drop column generation");
      for (var table : DIGESTED) {
        Postgres.run(pool, "alter table superstep." + table + " drop column digest");
      }
      try (var store = PostgresStore.on(pool);
          var runs = PostgresCheckpointer.on(pool)) {
        store.put(HERE, "a", 1);
        assertThat(store.get(HERE, "a", Integer.class)).contains(1);
        assertThat(runs.latest(Commits.LINEAGE)).isPresent();
      }
    }
  }

  @Test
  void concurrent_opening_of_a_new_database_succeeds() throws Exception {
    var database = PostgresServer.shared().freshDatabase();
    try (var pool = Postgres.pool(database)) {
      atOnce(
          6,
          i -> {
            try (var own = Postgres.pool(database);
                var store = PostgresStore.on(own)) {
              return store.put(HERE, "k" + i, i);
            }
          });
      try (var store = PostgresStore.on(pool)) {
        assertThat(store.search(Search.in(HERE))).hasSize(6);
      }
    }
  }

  @Test
  void missing_tables_are_explained() throws Exception {
    try (var pool = Postgres.pool(PostgresServer.shared().freshDatabase());
        var store = PostgresStore.on(pool)) {
      Postgres.run(pool, "drop schema superstep cascade");
      assertThatThrownBy(() -> store.get(HERE, "a"))
          .isInstanceOf(StoreFailed.class)
          .hasMessageContaining("its tables are not there; run PostgresCheckpointer.migrate");
      store.close();
      assertThatThrownBy(() -> store.get(HERE, "a"))
          .isInstanceOf(StoreFailed.class)
          .hasMessageContaining("closed");
    }
  }

  @Test
  void a_source_without_a_pool_works_and_nothing_is_left_open() throws Exception {
    var database = PostgresServer.shared().freshDatabase();
    try (var store = PostgresStore.on(database.dataSource())) {
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
}
