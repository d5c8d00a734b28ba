package dev.superstep.store.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.store.jdbc.Pooler;
import dev.superstep.store.jdbc.PostgresCheckpointer;
import dev.superstep.test.kills.ChildJvm;
import dev.superstep.test.kills.Notes;
import dev.superstep.test.postgres.PostgresServer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A thousand threads wait on one PostgreSQL, and two other processes answer them at once.
@Tag("T90")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
final class ManyThreadsTest {
  private static final int THREADS = Integer.getInteger("superstep.threads", 200);
  private static final int POOLED_THREADS = 300;

  @TempDir Path folder;

  @Test
  void all_questions_are_answered_from_other_processes_each_exactly_once() throws Exception {
    answered(PostgresServer.shared().freshDatabase().url(), THREADS);
  }

  @Test
  void behind_a_pooler_in_transaction_mode_too_each_is_answered_exactly_once() throws Exception {
    var pooler = Pooler.orSkip();
    var database = PostgresServer.shared().freshDatabase();
    PostgresCheckpointer.migrate(database.dataSource());
    answered(pooler.of(database).url(), POOLED_THREADS);
  }

  private void answered(String address, int threads) throws Exception {
    var notes = new Notes(folder.resolve("notes"));
    try (var store = Teller.open(address)) {
      ManyThreads.park(store, notes, threads);
      assertThat(notes.all()).isEmpty();
      var processes = List.of(start(address, notes, threads), start(address, notes, threads));
      for (var process : processes) {
        try (var output = process.inputReader()) {
          assertThat(output.readLine()).isEqualTo("answered");
        } finally {
          process.destroyForcibly();
        }
      }
      assertThat(notes.all()).hasSize(threads).doesNotHaveDuplicates();
      var graph = ManyThreads.graph(notes);
      var done = new AtomicInteger();
      ManyThreads.each(
          threads,
          number -> {
            var state = graph.state(ManyThreads.options(store, number)).orElseThrow();
            assertThat(state.next()).isEmpty();
            assertThat(state.state().get(ManyThreads.SAID)).isEqualTo("done");
            return done.incrementAndGet();
          });
      assertThat(done).hasValue(threads);
    }
  }

  private static Process start(String address, Notes notes, int threads) throws Exception {
    return ChildJvm.plain().start(ManyThreads.class, address, notes.file(), threads);
  }
}
