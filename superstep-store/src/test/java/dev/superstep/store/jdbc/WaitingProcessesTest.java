package dev.superstep.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.checkpoint.StoreFailed;
import dev.superstep.checkpoint.TaskRecord;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Processes that want to write to one file at the same time.
final class WaitingProcessesTest {
  private static final Duration LONG = Duration.ofMinutes(5);

  @TempDir Path folder;

  @Test
  void the_time_to_wait_for_other_processes_can_be_set_and_is_in_the_error() throws Exception {
    var file = folder.resolve("runs.db");
    var options = SqliteOptions.defaults().lockWait(Duration.ofMillis(300));
    try (var store = SqliteCheckpointer.open(file, options);
        var other = DriverManager.getConnection("jdbc:sqlite:" + file);
        var statement = other.createStatement()) {
      statement.executeUpdate("begin immediate");
      long start = System.nanoTime();
      assertThatThrownBy(() -> Commits.hold(store))
          .isInstanceOf(StoreFailed.class)
          .hasMessageContaining("another process keeps it locked for longer than the 0.3 s")
          .hasMessageContaining("wait longer (SqliteOptions.lockWait)");
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(options.lockWait());
      statement.executeUpdate("rollback");
      Commits.hold(store);
    }
  }

  @Tag("long")
  @Test
  void processes_that_write_constantly_all_make_progress() throws Exception {
    writeTogether(6, 40);
  }

  @Test
  @Tag("long")
  void fifty_processes_all_make_progress() throws Exception {
    writeTogether(50, 100);
  }

  private void writeTogether(int processes, int entries) throws Exception {
    var file = folder.resolve("runs.db");
    var children = new ArrayList<Process>();
    for (int i = 0; i < processes; i++) {
      children.add(ChildProcess.start("commit", file, "thread-" + i, entries, LONG));
    }
    for (var child : children) {
      assertThat(child.waitFor(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
      assertThat(child.exitValue()).isZero();
    }
    try (var store = SqliteCheckpointer.open(file)) {
      for (int i = 0; i < processes; i++) {
        assertThat(store.lastOffset("thread-" + i)).isEqualTo(entries);
      }
    }
  }

  @Test
  void a_waiting_process_writes_before_one_that_writes_constantly() throws Exception {
    var file = folder.resolve("runs.db");
    var child = ChildProcess.start("save", file);
    try (var lines = child.inputReader();
        var store = SqliteCheckpointer.open(file)) {
      // It is at work now, and does not stop.
      var drain = Thread.ofPlatform().daemon().unstarted(() -> lines.lines().forEach(_ -> {}));
      assertThat(ChildProcess.read(lines, 100)).hasSize(100);
      drain.start();
      var lease = store.acquire("mine", "me", Duration.ofHours(1));
      for (int i = 0; i < 100; i++) store.renew(lease, Duration.ofHours(1));
      assertThat(child.isAlive()).isTrue();
      child.toHandle().destroyForcibly();
      drain.join();
    } finally {
      child.destroyForcibly();
    }
  }

  /// SQLite maps that file; to read behind its end ends the process by a signal. Nothing can be
  /// done about that but that nothing is lost.
  @Test
  void a_process_whose_shared_memory_was_cut_loses_nothing_that_it_had_saved() throws Exception {
    var file = folder.resolve("runs.db");
    var child = ChildProcess.start("save", file);
    List<String> saved;
    try (var lines = child.inputReader()) {
      saved = new ArrayList<>(ChildProcess.read(lines, 500));
      var memory = file.resolveSibling("runs.db-shm");
      try (var channel = FileChannel.open(memory, StandardOpenOption.WRITE)) {
        channel.truncate(0);
      }
      saved.addAll(ChildProcess.read(lines, 500));
      child.toHandle().destroyForcibly();
      saved.addAll(ChildProcess.read(lines, Integer.MAX_VALUE));
    }
    assertThat(child.waitFor()).isNotZero();
    // A line that was cut off, or what the JVM says of its end.
    var whole = saved.stream().limit(500).toList();
    try (var store = SqliteCheckpointer.open(file)) {
      var tasks = store.tasks(Commits.LINEAGE, "c0").stream().map(TaskRecord::task).toList();
      assertThat(new HashSet<>(tasks)).containsAll(whole);
    }
  }
}
