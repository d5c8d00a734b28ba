package dev.superstep.store.jdbc;

import static dev.superstep.store.jdbc.Commits.LINEAGE;
import static dev.superstep.store.jdbc.Commits.appended;
import static dev.superstep.store.jdbc.Commits.nth;
import static dev.superstep.store.jdbc.Commits.whole;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.ChannelChange;
import dev.superstep.checkpoint.Commit;
import dev.superstep.checkpoint.Fork;
import dev.superstep.checkpoint.Lease;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.Prune;
import dev.superstep.json.Json;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What is in the tables after something was deleted: all that is needed, and no more.
final class UnreferencedRowsTest {
  // So large that it has a row of its own.
  private static final Json ITEM = Json.string("item".repeat(20));
  private static final Lineage COPY = Lineage.of("copy");

  @TempDir Path folder;
  private SqliteCheckpointer store;
  private Lease lease;

  @BeforeEach
  void write() {
    store = SqliteCheckpointer.open(folder.resolve("runs.db"));
    lease = Commits.hold(store);
    for (int n = 0; n < 4; n++) {
      assertThat(store.commit(lease, nth(n, appended("list", n, ITEM), whole("a", n, ITEM))))
          .isTrue();
    }
  }

  @AfterEach
  void close() {
    store.close();
  }

  private long rows(String table) {
    return store.write(sql -> sql.insert("select count(*) from " + table));
  }

  private long families() {
    return store.write(sql -> sql.insert("select count(distinct family) from thread"));
  }

  /// A thread that begins with the second of the four checkpoints.
  private Lease forked() {
    var copy = store.acquire(COPY.thread(), "the test", Duration.ofHours(1));
    var made = Commits.on(Optional.of(Commits.id(1)), "made", 2).checkpoint();
    var fork = new Fork(LINEAGE, Commits.id(1), COPY, made, List.of());
    assertThat(store.fork(copy, fork)).isTrue();
    return copy;
  }

  private void commit(Lease copy, ChannelChange... changes) {
    var next = Commits.on(Optional.of("made"), "next", 3).checkpoint();
    assertThat(store.commit(copy, new Commit(COPY, next, List.of(changes)))).isTrue();
  }

  @Test
  void a_fork_adds_no_value_rows_until_it_writes_its_own() {
    var copy = forked();
    assertThat(rows("value")).isEqualTo(4);
    assertThat(rows("log_item")).isEqualTo(4);
    assertThat(families()).isEqualTo(1);
    commit(copy, appended("list", 2, ITEM));
    assertThat(rows("value")).isEqualTo(4);
    assertThat(rows("log")).isEqualTo(2);
    assertThat(rows("log_item")).isEqualTo(5);
  }

  @Test
  void deleting_a_thread_keeps_only_rows_that_its_fork_needs() {
    var copy = forked();
    commit(copy, appended("list", 2, ITEM));
    store.delete(lease);
    assertThat(rows("value")).isEqualTo(1);
    // Two of the four, and the one that was added to the fork.
    assertThat(rows("log_item")).isEqualTo(3);
    store.delete(copy);
    for (var table :
        List.of("value", "log", "log_item", "thread", "lineage", "run", "checkpoint")) {
      assertThat(rows(table)).as(table).isZero();
    }
  }

  @Test
  void pruning_a_thread_keeps_rows_that_its_fork_needs() {
    var copy = forked();
    assertThat(store.prune(lease, Prune.keepLast(1))).isEqualTo(3);
    assertThat(rows("value")).isEqualTo(2);
    assertThat(rows("log_item")).isEqualTo(4);
    store.delete(copy);
    assertThat(rows("value")).isEqualTo(1);
    assertThat(rows("log_item")).isEqualTo(4);
  }

  @Test
  void the_unreferenced_end_of_a_log_is_deleted() {
    var made = Commits.on(Optional.of(Commits.id(1)), "made", 2).checkpoint();
    assertThat(store.fork(lease, new Fork(LINEAGE, Commits.id(1), LINEAGE, made, List.of())))
        .isTrue();
    assertThat(rows("log_item")).isEqualTo(4);
    assertThat(store.prune(lease, Prune.keepLast(1))).isEqualTo(4);
    assertThat(rows("log_item")).isEqualTo(2);
    assertThat(rows("value")).isEqualTo(1);
  }

  @Test
  void a_thread_that_was_only_leased_leaves_no_row() {
    var lease = store.acquire("never-written", "the test", Duration.ofHours(1));
    assertThat(rows("thread")).isEqualTo(2);
    store.release(lease);
    assertThat(rows("thread")).isEqualTo(1);
    assertThat(families()).isEqualTo(1);
  }
}
