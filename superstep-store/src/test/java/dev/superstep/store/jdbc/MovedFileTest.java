package dev.superstep.store.jdbc;

import static dev.superstep.store.jdbc.Commits.LINEAGE;
import static dev.superstep.store.jdbc.Commits.nth;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.checkpoint.StoreMoved;
import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The file is taken away, or another one put in its place, while a store has it open.
final class MovedFileTest {
  private static final List<String> FILES = List.of("", "-wal", "-shm", "-newest");

  @TempDir Path folder;
  private Path file;
  private Path elsewhere;

  @BeforeEach
  void name() {
    file = folder.resolve("runs.db");
    elsewhere = folder.resolve("elsewhere.db");
  }

  private static Path with(Path file, String end) {
    return file.resolveSibling(file.getFileName() + end);
  }

  private static void moveAll(Path from, Path to) throws Exception {
    for (var end : FILES) {
      if (Files.exists(with(from, end))) Files.move(with(from, end), with(to, end));
    }
  }

  private void isMoved(String what, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(StoreMoved.class, e -> assertThat(e.why()).isEqualTo(what))
        .hasMessageStartingWith("The store `" + file + "` was moved while it was open: " + what);
  }

  @Test
  void nothing_is_written_to_a_file_that_was_renamed_and_no_empty_one_is_made() throws Exception {
    try (var store = SqliteCheckpointer.open(file)) {
      var lease = Commits.hold(store);
      store.commit(lease, nth(0));
      Files.move(file, elsewhere);
      var gone = "no file is at its path any more";
      isMoved(gone, () -> store.commit(lease, nth(1)));
      isMoved(gone, () -> store.renew(lease, Duration.ofHours(1)));
      // By a reader that had nothing to read until now.
      isMoved(gone, () -> store.page(LINEAGE, Optional.empty(), 9));
      assertThat(file).doesNotExist();
      Files.move(elsewhere, file);
      assertThat(store.page(LINEAGE, Optional.empty(), 9)).hasSize(1);
      assertThat(store.commit(lease, nth(1))).isTrue();
    }
    try (var store = SqliteCheckpointer.open(file)) {
      assertThat(store.page(LINEAGE, Optional.empty(), 9)).hasSize(2);
    }
  }

  @Test
  void a_write_after_the_file_was_deleted_is_an_error() throws Exception {
    try (var store = SqliteCheckpointer.open(file)) {
      var lease = Commits.hold(store);
      Files.delete(file);
      isMoved("no file is at its path any more", () -> store.commit(lease, nth(0)));
      assertThat(file).doesNotExist();
    }
  }

  @Test
  void two_stores_never_run_one_thread_because_the_file_was_replaced() throws Exception {
    try (var store = SqliteCheckpointer.open(file)) {
      var lease = Commits.hold(store);
      store.commit(lease, nth(0));
      moveAll(file, elsewhere);
      try (var other = SqliteCheckpointer.open(file)) {
        var theirs = Commits.hold(other);
        assertThat(other.commit(theirs, nth(0))).isTrue();
        isMoved("another file is at its path", () -> store.commit(lease, nth(1)));
        isMoved("another file is at its path", () -> store.page(LINEAGE, Optional.empty(), 9));
        assertThat(other.page(LINEAGE, Optional.empty(), 9)).hasSize(1);
      }
    }
    try (var store = SqliteCheckpointer.open(elsewhere)) {
      assertThat(store.page(LINEAGE, Optional.empty(), 9)).hasSize(1);
    }
  }

  @Test
  void a_run_whose_file_was_renamed_stops_at_the_next_renewal() {
    var said = Channel.append("said", String.class);
    try (var store = SqliteCheckpointer.open(file)) {
      var graph =
          Graph.named("g")
              .channels(said)
              .node(
                  "a",
                  (_, _) -> {
                    Files.move(file, elsewhere);
                    new CountDownLatch(1).await();
                    return Update.of(said, "a");
                  })
              .edge(Graph.START, "a")
              .edge("a", Graph.END)
              .compile();
      var options = RunOptions.thread("t").checkpoints(store).lease(Duration.ofSeconds(1));
      assertThatThrownBy(() -> graph.invoke(Input.none(), options)).isInstanceOf(StoreMoved.class);
    }
  }
}
