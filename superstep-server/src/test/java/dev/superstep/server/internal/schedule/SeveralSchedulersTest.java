package dev.superstep.server.internal.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.json.Json;
import dev.superstep.service.Document;
import dev.superstep.service.DocumentKind;
import dev.superstep.service.ServiceStore;
import dev.superstep.store.jdbc.PostgresServiceStore;
import dev.superstep.store.jdbc.SqliteServiceStore;
import dev.superstep.test.postgres.PostgresServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Schedulers of several processes on one store.
@Tag("SV2")
final class SeveralSchedulersTest {
  private static final int CRONS = 20;
  private static final int PROCESSES = 4;

  @Test
  void each_firing_happens_once_on_postgres() throws Exception {
    var source = PostgresServer.shared().freshDatabase().dataSource();
    eachFiresOnce(() -> PostgresServiceStore.on(source));
  }

  @Test
  void each_firing_happens_once_on_sqlite(@TempDir Path folder) throws Exception {
    eachFiresOnce(() -> SqliteServiceStore.open(folder.resolve("service.db")));
  }

  private static void eachFiresOnce(Supplier<ServiceStore> opened) throws Exception {
    try (var store = opened.get()) {
      store.write(in -> {
        for (int i = 0; i < CRONS; i++) in.insert(cron(in.now(), "cron" + i));
        return true;
      });
      var start = new CyclicBarrier(PROCESSES);
      var fired = new ArrayList<Integer>();
      try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
        Callable<Integer> process =
            () -> {
              try (var own = opened.get();
                  var scheduler = new Scheduler(own, new RecordedStarter())) {
                start.await();
                return scheduler.fireDue();
              }
            };
        var all = threads.invokeAll(List.of(process, process, process, process));
        for (var each : all) fired.add(each.get());
      }
      assertThat(fired.stream().mapToInt(many -> many).sum()).isEqualTo(CRONS);
      var crons =
          RecordedStarter.started(store).stream()
              .map(line -> line.substring(0, line.indexOf(' ')))
              .toList();
      assertThat(crons).hasSize(CRONS).doesNotHaveDuplicates();
    }
  }

  private static Document cron(java.time.Instant now, String id) {
    return Document.of(DocumentKind.CRON, id, now)
        .labelled("agent")
        .in("enabled")
        .dueAt(now.minus(Duration.ofDays(1)))
        .body(
            Json.parse(
                "{\"schedule\":\"0 0 1 1 *\",\"enabled\":true,\"on_run_completed\":\"delete\","
                    + "\"user_id\":\"ann\",\"payload\":{}}"));
  }
}
