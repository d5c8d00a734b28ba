package dev.superstep.store.jdbc;

import static dev.superstep.store.jdbc.Commits.LINEAGE;
import static dev.superstep.store.jdbc.Commits.finished;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.TaskRecord;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The write-ahead log is moved into the file beside the commits, not by them.
final class WalCheckpointTest {
  private static final int WRITERS = 4;

  @TempDir Path folder;

  private Path log() {
    return folder.resolve("runs.db-wal");
  }

  private static void save(SqliteCheckpointer store, int each) throws Exception {
    var lease = Commits.hold(store);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var saved = new ArrayList<Future<?>>();
      for (int writer = 0; writer < WRITERS; writer++) {
        var name = "writer-" + writer + "-";
        saved.add(
            threads.submit(() -> {
              for (int i = 0; i < each; i++) {
                var task = finished(name + i, ChildProcess.LARGE);
                store.saveTask(lease, LINEAGE, "c0", task, List.of());
              }
            }));
      }
      for (var one : saved) one.get();
    }
  }

  @Test
  void the_log_of_a_store_that_is_always_written_to_has_an_end() throws Exception {
    int each = 1_400;
    try (var store = SqliteCheckpointer.open(folder.resolve("runs.db"))) {
      save(store, each);
      assertThat(Files.size(log())).isLessThan((long) WRITERS * each * ChildProcess.LARGE / 2);
      assertThat(Files.size(folder.resolve("runs.db"))).isPositive();
    }
    assertThat(log()).doesNotExist();
  }

  @Test
  void commits_go_on_while_a_reader_keeps_the_log_and_all_is_there_afterwards() throws Exception {
    var file = folder.resolve("runs.db");
    int each = 100;
    try (var store = SqliteCheckpointer.open(file)) {
      try (var reader = DriverManager.getConnection("jdbc:sqlite:" + file);
          var statement = reader.createStatement()) {
        statement.execute("begin");
        statement.executeQuery("select count(*) from task").close();
        save(store, each);
        assertThat(Files.size(log())).isGreaterThan((long) WRITERS * each * ChildProcess.LARGE);
      }
    }
    assertThat(log()).doesNotExist();
    try (var store = SqliteCheckpointer.open(file)) {
      assertThat(store.tasks(LINEAGE, "c0")).hasSize(WRITERS * each);
    }
  }

  @Test
  void what_a_call_has_saved_survives_kills_while_the_log_is_moved() throws Exception {
    var file = folder.resolve("runs.db");
    var saved = new HashSet<String>();
    for (int kill = 0; kill < 3; kill++) {
      var child = ChildProcess.start("save-large", file, "kill-" + kill + "-");
      try (var lines = child.inputReader()) {
        var told = new ArrayList<>(ChildProcess.read(lines, 400 + 50 * kill));
        child.toHandle().destroyForcibly();
        told.addAll(ChildProcess.read(lines, Integer.MAX_VALUE));
        told.removeLast();
        saved.addAll(told);
      }
      assertThat(child.waitFor()).isNotZero();
    }
    try (var store = SqliteCheckpointer.open(file)) {
      var tasks = store.tasks(LINEAGE, "c0");
      assertThat(tasks.stream().map(TaskRecord::task)).containsAll(saved);
      assertThat(tasks)
          .allSatisfy(t -> assertThat(t).isEqualTo(finished(t.task(), ChildProcess.LARGE)));
      var checked =
          store.<String>read(
              sql -> sql.first("pragma integrity_check", row -> row.getString(1)).orElseThrow());
      assertThat(checked).isEqualTo("ok");
    }
  }
}
