package dev.superstep.store.jdbc;

import static dev.superstep.store.jdbc.Commits.LINEAGE;
import static dev.superstep.store.jdbc.Commits.finished;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.checkpoint.ChannelChange;
import dev.superstep.checkpoint.Lease;
import dev.superstep.checkpoint.LeaseLost;
import dev.superstep.checkpoint.StoreFailed;
import dev.superstep.checkpoint.TaskRecord;
import dev.superstep.store.jdbc.rows.CheckpointKey;
import dev.superstep.store.jdbc.rows.Leases;
import dev.superstep.store.jdbc.rows.TaskRows;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class GroupCommitTest {
  @TempDir Path folder;

  private SqliteCheckpointer open() {
    return SqliteCheckpointer.open(folder.resolve("runs.db"));
  }

  /// Holds the writer until the latch falls, so that what comes meanwhile is one batch.
  private static int hold(SqliteCheckpointer store, CountDownLatch held, CountDownLatch go) {
    return store.write(_ -> {
      held.countDown();
      awaitUninterruptibly(go);
      return 0;
    });
  }

  private static TaskRecord save(SqliteCheckpointer store, Lease lease, TaskRecord task) {
    return store.saveTask(lease, LINEAGE, "c0", task, List.of());
  }

  @Test
  void one_failing_write_does_not_fail_others_of_its_batch() throws Exception {
    var held = new CountDownLatch(1);
    var go = new CountDownLatch(1);
    var bad =
        Commits.nth(0, new ChannelChange("a", 1, new ChannelChange.Change.Items(7, List.of())));
    try (var store = open();
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var lease = Commits.hold(store);
      threads.submit(() -> hold(store, held, go));
      held.await();
      var good = new ArrayList<Future<?>>();
      for (int i = 0; i < 10; i++) {
        var task = finished("before-" + i);
        good.add(threads.submit(() -> save(store, lease, task)));
      }
      var failing = threads.submit(() -> store.commit(lease, bad));
      for (int i = 0; i < 10; i++) {
        var task = finished("after-" + i);
        good.add(threads.submit(() -> save(store, lease, task)));
      }
      go.countDown();
      for (var one : good) one.get();
      assertThatThrownBy(failing::get)
          .isInstanceOf(ExecutionException.class)
          .hasCauseInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("channel `a` cannot keep 7 items of 0");
      assertThat(store.tasks(LINEAGE, "c0")).hasSize(20);
      assertThat(store.latest(LINEAGE)).isEmpty();
    }
  }

  /// A writer is at work, and 16 threads wait with writes of all kinds: each outcome is that of a
  /// write alone, in whatever group it was.
  @Test
  void each_write_of_a_group_ends_as_it_would_alone() throws Exception {
    for (int seed = 0; seed < 20; seed++) {
      var file = folder.resolve("seed-" + seed + ".db");
      try (var store = SqliteCheckpointer.open(file)) {
        new GroupedWriters(store, new Random(seed)).run();
      }
    }
  }

  private static long commits(SqliteCheckpointer store) {
    return store.read(sql ->
        sql.first(
                "select seq from sqlite_sequence where name = 'checkpoint'", row -> row.getLong(1))
            .orElseThrow());
  }

  @Test
  void writes_that_wait_are_one_commit_even_if_one_of_them_fails() throws Exception {
    for (boolean fails : new boolean[] {false, true}) {
      var held = new CountDownLatch(1);
      var go = new CountDownLatch(1);
      try (var store = SqliteCheckpointer.open(folder.resolve("one-" + fails + ".db"));
          var threads = Executors.newVirtualThreadPerTaskExecutor()) {
        var lease = Commits.hold(store);
        long before = commits(store);
        threads.submit(() -> hold(store, held, go));
        held.await();
        var saved = new ArrayList<Future<?>>();
        for (int i = 0; i < 16; i++) {
          var task = finished("t" + i);
          var shown = fails && i == 7 ? new Lease(lease.thread(), "lost", 0) : lease;
          saved.add(threads.submit(() -> save(store, shown, task)));
        }
        awaitWaiting(store, 16);
        go.countDown();
        int refused = 0;
        for (var one : saved) {
          try {
            one.get();
          } catch (ExecutionException e) {
            assertThat(e).hasCauseInstanceOf(LeaseLost.class);
            refused++;
          }
        }
        assertThat(refused).isEqualTo(fails ? 1 : 0);
        // That of the writer that they waited for, and theirs.
        assertThat(commits(store) - before).isEqualTo(2);
      }
    }
  }

  private static void awaitWaiting(SqliteCheckpointer store, int many) {
    while (store.waitingWrites() < many) Thread.onSpinWait();
  }

  @Test
  void a_write_that_fails_after_half_of_its_rows_leaves_none() {
    try (var store = open()) {
      var lease = Commits.hold(store);
      assertThatThrownBy(() ->
              store.write(sql -> {
                var claim = Leases.claimShared(sql, lease, LINEAGE);
                TaskRows.save(
                    sql, claim, new CheckpointKey(LINEAGE, "c0"), finished("t"), List.of());
                throw new IllegalStateException("halfway");
              }))
          .hasMessage("halfway");
      assertThat(store.tasks(LINEAGE, "c0")).isEmpty();
    }
  }

  @Test
  void even_an_error_reaches_its_caller_and_the_writer_lives() {
    try (var store = open()) {
      var lease = Commits.hold(store);
      assertThatThrownBy(() ->
              store.write(_ -> {
                throw new StackOverflowError("deep");
              }))
          .isInstanceOf(StackOverflowError.class);
      save(store, lease, finished("t"));
      assertThat(store.tasks(LINEAGE, "c0")).hasSize(1);
    }
  }

  @Test
  void an_interrupted_caller_still_learns_the_outcome() throws Exception {
    try (var store = open()) {
      var lease = Commits.hold(store);
      var saved =
          new FutureTask<>(() -> {
            Thread.currentThread().interrupt();
            var existing = save(store, lease, finished("t"));
            var read = store.tasks(LINEAGE, "c0");
            assertThat(read).containsExactly(existing);
            return Thread.currentThread().isInterrupted();
          });
      Thread.ofVirtual().start(saved);
      assertThat(saved.get()).isTrue();
    }
  }

  @Test
  void more_callers_than_the_queue_holds_are_all_served() throws Exception {
    var held = new CountDownLatch(1);
    var go = new CountDownLatch(1);
    int many = 3_000;
    try (var store = open();
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var lease = Commits.hold(store);
      threads.submit(() -> hold(store, held, go));
      held.await();
      var started = new CountDownLatch(many);
      var done = new AtomicInteger();
      for (int i = 0; i < many; i++) {
        var task = finished("t" + i);
        threads.execute(() -> {
          started.countDown();
          save(store, lease, task);
          done.incrementAndGet();
        });
      }
      started.await();
      assertThat(done).hasValue(0);
      go.countDown();
      threads.close();
      assertThat(store.tasks(LINEAGE, "c0")).hasSize(many);
    }
  }

  @Test
  void closing_finishes_queued_writes_and_refuses_later_ones() throws Exception {
    var held = new CountDownLatch(1);
    var go = new CountDownLatch(1);
    var store = open();
    var lease = Commits.hold(store);
    var done = new ArrayList<Future<?>>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      done.add(threads.submit(() -> hold(store, held, go)));
      held.await();
      var closer = threads.submit(store::close);
      // Reads are refused first, so a refused read shows that the closing has begun.
      awaitRefusal(store);
      go.countDown();
      closer.get();
      for (var one : done) one.get();
    }
    store.close();
    assertThatThrownBy(() -> save(store, lease, finished("t")))
        .isInstanceOf(StoreFailed.class)
        .hasMessageContaining("it is closed; open it again to use it");
    assertThat(folder.resolve("runs.db-wal")).doesNotExist();
  }

  private static void awaitRefusal(SqliteCheckpointer store) {
    for (int i = 0; i < 1_000_000; i++) {
      try {
        store.latest(LINEAGE);
        Thread.onSpinWait();
      } catch (StoreFailed _) {
        return;
      }
    }
    throw new AssertionError("the store was never closed");
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
