package dev.superstep.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.checkpoint.LeaseLost;
import dev.superstep.checkpoint.TaskRecord;
import dev.superstep.checkpoint.ThreadBusy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SeveralProcessesTest {
  @TempDir Path folder;

  @Test
  void saved_data_survives_a_kill() throws Exception {
    var file = folder.resolve("runs.db");
    var child = ChildProcess.start("save", file);
    List<String> saved;
    try (var lines = child.inputReader()) {
      saved = new ArrayList<>(ChildProcess.read(lines, 2_000));
      // Not by the process itself, which would close the pipe with the lines in it.
      child.toHandle().destroyForcibly();
      saved.addAll(ChildProcess.read(lines, Integer.MAX_VALUE));
    }
    assertThat(child.waitFor()).isNotZero();
    // The kill may cut off the last line; every line before it is of a call that had returned.
    saved.removeLast();
    assertThat(saved).hasSizeGreaterThanOrEqualTo(1_999);
    try (var store = SqliteCheckpointer.open(file)) {
      var tasks = store.tasks(Commits.LINEAGE, "c0");
      var names = new HashSet<>(tasks.stream().map(TaskRecord::task).toList());
      assertThat(names).containsAll(saved);
      assertThat(tasks).allSatisfy(t -> assertThat(t).isEqualTo(Commits.finished(t.task())));
    }
  }

  @Test
  void two_processes_build_one_line_of_checkpoints() throws Exception {
    var file = folder.resolve("runs.db");
    long token;
    try (var store = SqliteCheckpointer.open(file)) {
      token = Commits.hold(store).token();
    }
    var first = ChildProcess.start("race", file, "first", 100, token);
    var second = ChildProcess.start("race", file, "second", 100, token);
    assertThat(first.waitFor(5, TimeUnit.MINUTES)).isTrue();
    assertThat(second.waitFor(5, TimeUnit.MINUTES)).isTrue();
    assertThat(List.of(first.exitValue(), second.exitValue())).containsOnly(0);
    try (var store = SqliteCheckpointer.open(file)) {
      var page = store.page(Commits.LINEAGE, Optional.empty(), 1_000);
      assertThat(page).hasSize(200);
      for (int i = 0; i < 199; i++) {
        assertThat(page.get(i).parent()).contains(page.get(i + 1).id());
        assertThat(page.get(i).step()).isEqualTo(199 - i);
      }
    }
  }

  @Test
  void two_stores_that_commit_on_one_parent_have_one_winner() throws Exception {
    var file = folder.resolve("runs.db");
    try (var one = SqliteCheckpointer.open(file);
        var two = SqliteCheckpointer.open(file)) {
      var lease = Commits.hold(one);
      for (int i = 0; i < 50; i++) {
        var parent = one.latest(Commits.LINEAGE).map(s -> s.checkpoint().id());
        int step = i;
        var results =
            together(
                () -> one.commit(lease, Commits.on(parent, "one-" + step, step)),
                () -> two.commit(lease, Commits.on(parent, "two-" + step, step)));
        assertThat(results).containsExactlyInAnyOrder(true, false);
      }
    }
  }

  @Test
  @Tag("T88")
  void of_two_stores_that_acquire_a_thread_one_succeeds_and_the_other_is_fenced() throws Exception {
    var file = folder.resolve("runs.db");
    try (var one = SqliteCheckpointer.open(file);
        var two = SqliteCheckpointer.open(file)) {
      var dead = one.acquire(Commits.LINEAGE.thread(), "one", Duration.ZERO);
      var lease = Commits.hold(two);
      assertThatThrownBy(() -> Commits.hold(one)).isInstanceOf(ThreadBusy.class);
      assertThatThrownBy(() -> one.commit(dead, Commits.nth(0))).isInstanceOf(LeaseLost.class);
      assertThat(one.requestCancel(Commits.LINEAGE.thread())).isTrue();
      assertThat(two.renew(lease, Duration.ofHours(1))).isTrue();
      assertThat(two.commit(lease, Commits.nth(0))).isTrue();
      assertThat(one.find(Commits.LINEAGE.thread()).orElseThrow().holder()).isPresent();
    }
  }

  @Test
  void many_processes_open_a_new_file_concurrently() throws Exception {
    var file = folder.resolve("runs.db");
    Callable<Boolean> open =
        () -> {
          try (var store = SqliteCheckpointer.open(file)) {
            return store.latest(Commits.LINEAGE).isEmpty();
          }
        };
    assertThat(together(open, open, open, open, open, open)).containsOnly(true);
  }

  @SafeVarargs
  private static List<Boolean> together(Callable<Boolean>... bodies) throws Exception {
    var start = new CyclicBarrier(bodies.length);
    var results = new ArrayList<Boolean>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var all =
          Stream.of(bodies)
              .map(body ->
                  threads.submit(() -> {
                    start.await();
                    return body.call();
                  }))
              .toList();
      for (var one : all) results.add(one.get());
    }
    return results;
  }
}
