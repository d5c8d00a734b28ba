package dev.superstep.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.condition.OS.LINUX;

import com.zaxxer.hikari.HikariDataSource;
import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.Lease;
import dev.superstep.checkpoint.LeaseLost;
import dev.superstep.checkpoint.ThreadBusy;
import dev.superstep.store.jdbc.rows.LocalProcess;
import dev.superstep.test.postgres.PostgresServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.io.TempDir;

/// A process that held a thread was really killed.
final class KilledLeaseHolderTest {
  private static final String THREAD = "held";

  @TempDir Path folder;

  @Test
  @EnabledOnOs(LINUX)
  void the_thread_of_a_process_killed_on_this_machine_is_free_immediately() throws Exception {
    var file = folder.resolve("runs.db");
    try (var store = SqliteCheckpointer.open(file)) {
      isFreeAfterKill(store, ChildProcess.start("hold", file, THREAD));
    }
  }

  @Test
  @EnabledOnOs(LINUX)
  void a_killed_holder_is_detected_in_a_database_shared_with_other_machines() throws Exception {
    var database = PostgresServer.shared().freshDatabase();
    try (var pool = Postgres.pool(database);
        var store = migrated(pool)) {
      isFreeAfterKill(store, ChildProcess.start("hold-postgres", database.url(), THREAD));
    }
  }

  private static Checkpointer migrated(HikariDataSource pool) {
    PostgresCheckpointer.migrate(pool);
    return PostgresCheckpointer.on(pool);
  }

  private static void isFreeAfterKill(Checkpointer store, Process child) throws Exception {
    long token;
    try (var lines = child.inputReader()) {
      token = Long.parseLong(ChildProcess.read(lines, 1).getFirst());
      assertThatThrownBy(() -> store.acquire(THREAD, "me", Duration.ofHours(1)))
          .isInstanceOf(ThreadBusy.class);
    } finally {
      child.destroyForcibly();
    }
    assertThat(child.waitFor(1, TimeUnit.MINUTES)).isTrue();
    var lease = store.acquire(THREAD, "me", Duration.ofHours(1));
    assertThat(lease.token()).isGreaterThan(token);
    var late = new Lease(THREAD, "one that is killed", token);
    assertThatThrownBy(() -> store.renew(late, Duration.ofHours(1))).isInstanceOf(LeaseLost.class);
    assertThatThrownBy(() -> store.acquire(THREAD, "you", Duration.ofHours(1)))
        .isInstanceOf(ThreadBusy.class);
  }

  @Test
  void only_a_process_that_certainly_ended_counts_as_dead() {
    var own = LocalProcess.own();
    assertThat(own.map(LocalProcess::isGone).orElse(false)).isFalse();
    for (var unknown : new String[] {"", "a b", "elsewhere 1 1", "elsewhere x y"}) {
      assertThat(LocalProcess.isGone(unknown)).as(unknown).isFalse();
    }
    if (own.isEmpty()) return;
    var parts = own.get().split(" ", -1);
    // Its number was given again.
    assertThat(LocalProcess.isGone(parts[0] + " " + parts[1] + " 1")).isTrue();
    assertThat(LocalProcess.isGone("another-boot/" + parts[0] + " " + parts[1] + " 1")).isFalse();
  }
}
