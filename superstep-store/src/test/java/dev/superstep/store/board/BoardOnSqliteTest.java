package dev.superstep.store.board;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.board.Board;
import dev.superstep.board.BoardPolicy;
import dev.superstep.board.BoardTask;
import dev.superstep.board.Claim;
import dev.superstep.board.ClaimLost;
import dev.superstep.board.NewTask;
import dev.superstep.board.TaskStatus;
import dev.superstep.store.InMemoryStore;
import dev.superstep.store.Store;
import dev.superstep.store.jdbc.SqliteStore;
import dev.superstep.testkit.ManualClock;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("T107")
final class BoardOnSqliteTest {
  private static final int WORKERS = 8;

  @TempDir Path folder;

  private Path file() {
    return folder.resolve("board.db");
  }

  private static Board board(Store store) {
    return Board.named(BoardRacer.BOARD, store);
  }

  private static void fill(Board board, int tasks) {
    for (int i = 0; i < tasks; i++) board.add(NewTask.of("task " + i).submitted());
  }

  private static <T> List<T> together(List<Callable<T>> bodies) throws Exception {
    var start = new CyclicBarrier(bodies.size());
    var results = new ArrayList<T>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var all =
          bodies.stream()
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

  private static void assertEachDoneOnce(Board board, int tasks) {
    assertThat(board.tasks())
        .hasSize(tasks)
        .allSatisfy(task -> {
          assertThat(task.status()).isEqualTo(TaskStatus.DONE);
          assertThat(task.claims()).isEqualTo(1);
          assertThat(task.result()).isEqualTo("by " + task.worker().orElseThrow());
        });
  }

  @Test
  void eight_workers_in_memory_do_each_task_once() throws Exception {
    try (var store = InMemoryStore.open()) {
      race(100, store);
    }
  }

  @Test
  void eight_workers_of_two_connections_to_one_file_do_each_task_once() throws Exception {
    try (var one = SqliteStore.open(file());
        var other = SqliteStore.open(file())) {
      race(40, one, other);
    }
  }

  static void race(int tasks, Store... stores) throws Exception {
    var board = board(stores[0]);
    fill(board, tasks);
    var bodies = new ArrayList<Callable<Integer>>();
    for (int i = 0; i < WORKERS; i++) {
      var worker = "w" + i;
      var own = board(stores[i % stores.length]);
      bodies.add(() -> BoardRacer.work(own, worker));
    }
    assertThat(together(bodies).stream().mapToInt(done -> done).sum()).isEqualTo(tasks);
    assertEachDoneOnce(board, tasks);
  }

  @Test
  void of_many_concurrent_claims_of_a_task_one_succeeds() throws Exception {
    try (var one = SqliteStore.open(file());
        var other = SqliteStore.open(file())) {
      for (int round = 0; round < 10; round++) {
        fill(board(one), 1);
        var bodies = new ArrayList<Callable<Optional<Claim>>>();
        for (int i = 0; i < WORKERS; i++) {
          var worker = "w" + i;
          var store = i % 2 == 0 ? one : other;
          bodies.add(() -> board(store).claim(worker));
        }
        var claims = together(bodies).stream().flatMap(Optional::stream).toList();
        assertThat(claims).hasSize(1);
        board(one).finish(claims.getFirst(), "by " + claims.getFirst().worker());
      }
      assertEachDoneOnce(board(other), 10);
    }
  }

  @Test
  void of_two_concurrent_claims_by_a_worker_one_is_refused() throws Exception {
    try (var store = SqliteStore.open(file())) {
      var board = board(store);
      fill(board, 2);
      Callable<Boolean> claims =
          () -> {
            try {
              return board.claim("ann").isPresent();
            } catch (dev.superstep.board.TaskInProgress _) {
              return false;
            }
          };
      assertThat(together(List.of(claims, claims, claims, claims))).containsOnlyOnce(true);
      assertThat(board.tasks(TaskStatus.IN_PROGRESS)).hasSize(1);
    }
  }

  @Test
  void three_processes_do_each_task_once() throws Exception {
    try (var store = SqliteStore.open(file())) {
      fill(board(store), 60);
      var processes = new ArrayList<Process>();
      for (int i = 0; i < 3; i++) processes.add(start("work", "p" + i));
      var lines = new ArrayList<String>();
      for (var process : processes) {
        try (var out = process.inputReader()) {
          out.lines().forEach(lines::add);
        }
        assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).isZero();
      }
      assertThat(lines).hasSize(60).doesNotHaveDuplicates();
      assertEachDoneOnce(board(store), 60);
    }
  }

  @Test
  void a_task_of_a_process_that_was_killed_is_done_by_another() throws Exception {
    try (var store = SqliteStore.open(file())) {
      fill(board(store), 1);
      var process = start("hang", "dead");
      String id;
      try (var out = process.inputReader()) {
        id = out.readLine();
        process.toHandle().destroyForcibly();
      }
      assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
      assertThat(board(store).claim("ann")).as("it may still live").isEmpty();
      var clock = ManualClock.at(Instant.now());
      var later = board(store).clock(clock);
      clock.advance(BoardPolicy.standard().heartbeatLimit().plusMinutes(1));
      var claim = later.claim("ann").orElseThrow();
      assertThat(claim.id()).isEqualTo(id);
      assertThat(claim.number()).isEqualTo(2);
      later.finish(claim, "by ann");
      assertThat(later.find(id).map(BoardTask::result)).contains("by ann");
    }
  }

  @Test
  void a_board_keeps_its_claims_in_a_new_process() throws Exception {
    var clock = ManualClock.at("2026-01-02T03:04:05Z");
    Claim claim;
    try (var store = SqliteStore.open(file())) {
      var board = board(store).clock(clock).policy(BoardPolicy.standard().approvingAll());
      fill(board, 2);
      board.approve("t1", "the boss");
      claim = board.claim("ann").orElseThrow();
    }
    clock.advance(Duration.ofMinutes(1));
    try (var store = SqliteStore.open(file())) {
      var board = board(store).clock(clock);
      assertThat(board.find("t2").orElseThrow().status()).isEqualTo(TaskStatus.AWAITING_APPROVAL);
      assertThat(board.claimOf("ann")).contains(claim);
      board.heartbeat(claim);
      clock.advance(Duration.ofMinutes(5));
      assertThat(board.reclaim()).isEmpty();
      clock.advance(Duration.ofMinutes(1));
      assertThat(board.reclaim()).hasSize(1);
      assertThatThrownBy(() -> board.finish(claim, "")).isInstanceOf(ClaimLost.class);
    }
  }

  private Process start(String what, String worker) throws IOException {
    var command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            BoardRacer.class.getName(),
            what,
            file().toString(),
            worker);
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }
}
