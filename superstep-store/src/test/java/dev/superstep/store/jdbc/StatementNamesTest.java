package dev.superstep.store.jdbc;

import static dev.superstep.store.jdbc.Commits.LINEAGE;
import static dev.superstep.store.jdbc.Commits.appended;
import static dev.superstep.store.jdbc.Commits.nth;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.superstep.checkpoint.Lease;
import dev.superstep.json.Json;
import dev.superstep.store.jdbc.PostgresCheckpointer.Statements;
import dev.superstep.test.postgres.PostgresDatabase;
import dev.superstep.test.postgres.PostgresServer;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Statements that the server keeps under names, and ways to it on which names are lost.
final class StatementNamesTest {
  private static final Json ITEM = Json.string("item");
  private static final String KEPT =
      "select count(*) from pg_prepared_statements where statement like '%thread%'";
  // After the fifth use the driver gives a statement a name.
  private static final int USES = 12;

  private PostgresDatabase database;

  @BeforeEach
  void migrate() {
    database = PostgresServer.shared().freshDatabase();
    PostgresCheckpointer.migrate(database.dataSource());
  }

  private static HikariDataSource one(PostgresDatabase database) {
    var pool = Postgres.pool(database);
    pool.setMaximumPoolSize(1);
    return pool;
  }

  private static void commit(PostgresCheckpointer store, Lease lease, int from, int to) {
    for (int n = from; n < to; n++) {
      assertThat(store.commit(lease, nth(n, appended("list", n, ITEM)))).isTrue();
    }
  }

  private static void commit(DataSource source, Statements statements) {
    try (var store = PostgresCheckpointer.on(source, statements)) {
      commit(store, Commits.hold(store), 0, USES);
    }
  }

  private static void checkCommitted(PostgresCheckpointer store, int many) {
    assertThat(store.page(LINEAGE, Optional.empty(), 100)).hasSize(many);
    assertThat(store.latest(LINEAGE).orElseThrow().checkpoint().id())
        .isEqualTo(Commits.id(many - 1));
  }

  @Test
  void a_server_without_a_pooler_keeps_statements() throws Exception {
    try (var direct = one(database)) {
      commit(direct, Statements.AUTOMATIC);
      assertThat(Postgres.text(direct, KEPT)).isNotEqualTo("0");
    }
  }

  @Test
  void a_server_keeps_no_statement_that_is_not_to_be_named() throws Exception {
    try (var direct = one(database)) {
      commit(direct, Statements.UNNAMED);
      assertThat(Postgres.text(direct, KEPT)).isEqualTo("0");
    }
  }

  @Test
  void no_statement_is_kept_behind_a_pooler() throws Exception {
    try (var pooled = one(Pooler.orSkip().of(database))) {
      commit(pooled, Statements.AUTOMATIC);
      assertThat(Postgres.text(pooled, KEPT)).isEqualTo("0");
    }
  }

  @Test
  void a_pooler_that_comes_later_ends_the_use_of_names() throws Exception {
    var pooler = Pooler.orSkip();
    try (var direct = one(database);
        var pooled = one(pooler.of(database))) {
      var way = new AtomicReference<DataSource>(direct);
      try (var store = PostgresCheckpointer.on(following(way))) {
        var lease = Commits.hold(store);
        commit(store, lease, 0, USES);
        assertThat(Postgres.text(direct, KEPT)).isNotEqualTo("0");
        way.set(pooled);
        commit(store, lease, USES, 2 * USES);
        assertThat(Postgres.text(pooled, KEPT)).isEqualTo("0");
        checkCommitted(store, 2 * USES);
      }
    }
  }

  private static DataSource following(AtomicReference<DataSource> way) {
    return (DataSource)
        Proxy.newProxyInstance(
            StatementNamesTest.class.getClassLoader(),
            new Class<?>[] {DataSource.class},
            (_, method, arguments) -> {
              try {
                return method.invoke(way.get(), arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  @Test
  void a_name_that_the_server_lost_is_sent_as_text_again() throws Exception {
    try (var direct = one(database);
        var store = PostgresCheckpointer.on(direct)) {
      var lease = Commits.hold(store);
      commit(store, lease, 0, USES);
      // As another user of a shared session does; the driver does not hear of it.
      Postgres.run(direct, "do $$ begin execute 'deallocate all'; end $$");
      commit(store, lease, USES, 2 * USES);
      assertThat(Postgres.text(direct, KEPT)).isEqualTo("0");
      checkCommitted(store, 2 * USES);
    }
  }
}
