package dev.superstep.store.jdbc;

import static dev.superstep.store.jdbc.Commits.LINEAGE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.superstep.checkpoint.StoreFailed;
import dev.superstep.json.Json;
import dev.superstep.test.postgres.PostgresServer;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A PostgreSQL that says no at the commit itself, as a constraint that is checked there does.
@Tag("T88")
final class RefusedCommitTest {
  private static final List<dev.superstep.checkpoint.Entry> ENTRY =
      List.of(Commits.entry(Json.string("item")));

  private static final String AT_COMMIT = "deferred";
  // By a statement that was sent with the commit.
  private static final String BEFORE = "immediate";

  private HikariDataSource pool;

  @BeforeEach
  void open() {
    pool = Postgres.pool(PostgresServer.shared().freshDatabase());
    PostgresCheckpointer.migrate(pool);
  }

  @AfterEach
  void close() {
    pool.close();
  }

  /// Refuses so many commits that have an entry in them. A sequence counts those, too, that were
  /// rolled back.
  private void refuse(int times, String code, String when) throws Exception {
    Postgres.run(
        pool,
        "create sequence refusals",
        """
        create function refuse() returns trigger language plpgsql as $$ begin
          if nextval('public.refusals') <= %d then
            raise exception 'not on a Sunday' using errcode = '%s';
          end if;
          return null;
        end $$
        """
            .formatted(times, code),
        "create constraint trigger refusing after insert on superstep.entry"
            + " deferrable initially "
            + when
            + " for each row execute function refuse()");
  }

  private long refusals() throws Exception {
    return Long.parseLong(Postgres.text(pool, "select last_value from refusals"));
  }

  @ParameterizedTest
  @ValueSource(strings = {AT_COMMIT, BEFORE})
  void a_commit_that_the_server_refused_is_a_definite_failure_with_its_cause(String when)
      throws Exception {
    try (var store = PostgresCheckpointer.on(pool)) {
      var lease = Commits.hold(store);
      refuse(1, "P0001", when);
      assertThatThrownBy(() -> store.append(lease, ENTRY))
          .isInstanceOf(StoreFailed.class)
          .hasMessageContaining("PostgreSQL says: ERROR: not on a Sunday")
          .hasMessageNotContaining("not known");
      assertThat(store.lastOffset(LINEAGE.thread())).isZero();
      store.append(lease, ENTRY);
      assertThat(store.lastOffset(LINEAGE.thread())).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {AT_COMMIT, BEFORE})
  void a_commit_aborted_by_a_conflict_is_retried_once(String when) throws Exception {
    try (var store = PostgresCheckpointer.on(pool)) {
      var lease = Commits.hold(store);
      refuse(1, "40001", when);
      store.append(lease, ENTRY);
      assertThat(refusals()).isEqualTo(2);
      assertThat(store.lastOffset(LINEAGE.thread())).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {AT_COMMIT, BEFORE})
  void a_server_that_ends_while_it_commits_leaves_the_end_unknown(String when) throws Exception {
    try (var store = PostgresCheckpointer.on(pool)) {
      var lease = Commits.hold(store);
      refuse(1, "57P01", when);
      assertThatThrownBy(() -> store.append(lease, ENTRY))
          .isInstanceOf(StoreFailed.class)
          .hasMessageContaining("whether that was kept is not known");
      assertThat(refusals()).isEqualTo(1);
    }
  }
}
