package dev.superstep.store.jdbc;

import static dev.superstep.store.jdbc.Commits.LINEAGE;
import static dev.superstep.store.jdbc.Commits.appended;
import static dev.superstep.store.jdbc.Commits.nth;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.checkpoint.EntryFilter;
import dev.superstep.checkpoint.StoreFailed;
import dev.superstep.json.Json;
import dev.superstep.test.postgres.PostgresServer;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// A server that is not always there.
@Tag("T88")
final class PostgresRestartTest {
  private static final Json ITEM = Json.string("item");

  @Test
  void saved_data_survives_a_stopped_and_a_killed_server() {
    try (var server = PostgresServer.start(PostgresServer.Durability.SYNCED)) {
      var database = server.freshDatabase();
      // Without a pool, which would wait a long time for a server that is stopped.
      try (var store = PostgresCheckpointer.on(database.dataSource())) {
        var lease = Commits.hold(store);
        assertThat(store.commit(lease, nth(0, appended("list", 0, ITEM)))).isTrue();
        server.stop();
        assertThatThrownBy(() -> store.commit(lease, nth(1, appended("list", 1, ITEM))))
            .isInstanceOf(StoreFailed.class)
            .hasMessageContaining("the server cannot be reached");
        assertThatThrownBy(() -> store.latest(LINEAGE)).isInstanceOf(StoreFailed.class);
        assertThatThrownBy(() -> PostgresCheckpointer.on(database.dataSource()))
            .isInstanceOf(StoreFailed.class)
            .hasMessageContaining("the server cannot be reached");
        server.restart();
        assertThat(store.commit(lease, nth(1, appended("list", 1, ITEM)))).isTrue();
        server.kill();
        server.restart();
        assertThat(store.page(LINEAGE, Optional.empty(), 9)).hasSize(2);
        // The lease is kept with the rest.
        assertThat(store.commit(lease, nth(2, appended("list", 2, ITEM)))).isTrue();
      }
    }
  }

  @Test
  void a_pool_whose_server_was_restarted_is_used_as_before() {
    try (var server = PostgresServer.start(PostgresServer.Durability.RELAXED);
        var pool = Postgres.pool(server.freshDatabase());
        var store = PostgresCheckpointer.on(pool)) {
      var lease = Commits.hold(store);
      for (int n = 0; n < 3; n++) {
        assertThat(store.commit(lease, nth(n, appended("list", n, ITEM)))).isTrue();
        store.append(lease, List.of(Commits.entry(ITEM)));
        server.restart();
        assertThat(store.entries(LINEAGE.thread(), 0, 9, EntryFilter.all())).hasSize(n + 1);
      }
    }
  }
}
