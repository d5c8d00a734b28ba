package dev.superstep.store.jdbc;

import static dev.superstep.store.jdbc.Commits.finished;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.checkpoint.ChannelChange;
import dev.superstep.checkpoint.Commit;
import dev.superstep.checkpoint.Lease;
import dev.superstep.checkpoint.LeaseLost;
import dev.superstep.checkpoint.Lineage;
import dev.superstep.checkpoint.StepRecord;
import dev.superstep.json.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// Threads that write at random, each to a thread of its own, and check each outcome against what
/// it has to be.
final class GroupedWriters {
  private static final int WRITERS = 16;
  private static final int WRITES = 25;

  private final SqliteCheckpointer store;
  private final Random random;

  GroupedWriters(SqliteCheckpointer store, Random random) {
    this.store = store;
    this.random = random;
  }

  void run() throws Exception {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var ended = new ArrayList<Future<?>>();
      for (int i = 0; i < WRITERS; i++) {
        var writer = new Writer("thread-" + i, new Random(random.nextLong()));
        ended.add(
            threads.submit(() -> {
              writer.run();
              return true;
            }));
      }
      for (var one : ended) one.get();
    }
  }

  /// A thread of the store, and the content that it must have.
  private final class Writer {
    private final Lineage lineage;
    private final Random choices;
    private final List<String> tasks = new ArrayList<>();
    private Lease lease;
    private int checkpoints;

    Writer(String thread, Random choices) {
      this.lineage = Lineage.of(thread);
      this.choices = choices;
      this.lease = acquire();
    }

    private Lease acquire() {
      return store.acquire(lineage.thread(), "a writer", Duration.ofHours(1));
    }

    void run() {
      for (int i = 0; i < WRITES; i++) {
        switch (choices.nextInt(6)) {
          case 0 -> commits();
          case 1 -> isRefusedOnAnOlderOne();
          case 2 -> failsAfterSomeRows();
          case 3 -> losesItsLease();
          case 4 -> hasItsFirstStepAgain("step-" + i);
          default -> savesTask("task-" + i);
        }
      }
      var found = store.tasks(lineage, "next").stream().map(task -> task.task()).toList();
      assertThat(found).containsExactlyElementsOf(tasks);
      assertThat(store.page(lineage, Optional.empty(), 100)).hasSize(checkpoints);
    }

    private Commit next(ChannelChange... changes) {
      var commit = Commits.nth(checkpoints, changes);
      return new Commit(lineage, commit.checkpoint(), commit.changes());
    }

    private void commits() {
      assertThat(store.commit(lease, next(Commits.whole("a", 1, Json.of(checkpoints))))).isTrue();
      checkpoints++;
    }

    private void isRefusedOnAnOlderOne() {
      var other = Commits.on(Optional.of("another"), "new", 1);
      assertThat(store.commit(lease, new Commit(lineage, other.checkpoint(), List.of()))).isFalse();
    }

    private void failsAfterSomeRows() {
      var cut = new ChannelChange("c", 1, new ChannelChange.Change.Items(7, List.of()));
      var text = Commits.whole("b", 1, Json.string("x".repeat(100)));
      assertThatThrownBy(() -> store.commit(lease, next(text, cut)))
          .hasMessageContaining("cannot keep 7 items");
    }

    private void losesItsLease() {
      var lost = lease;
      assertThat(store.breakLease(lineage.thread())).isTrue();
      lease = acquire();
      var task = finished("of a lost lease");
      assertThatThrownBy(() -> store.saveTask(lost, lineage, "next", task, List.of()))
          .isInstanceOf(LeaseLost.class);
    }

    private void hasItsFirstStepAgain(String key) {
      var first = new StepRecord("t", key, Json.of(1));
      assertThat(store.saveStep(lease, lineage, "next", first)).isEqualTo(first);
      var second = new StepRecord("t", key, Json.of(2));
      assertThat(store.saveStep(lease, lineage, "next", second)).isEqualTo(first);
    }

    private void savesTask(String name) {
      store.saveTask(lease, lineage, "next", finished(name), List.of());
      tasks.add(name);
    }
  }
}
