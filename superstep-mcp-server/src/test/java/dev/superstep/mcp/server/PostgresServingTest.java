package dev.superstep.mcp.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.mcp.server.options.McpHostLimits;
import dev.superstep.mcp.server.options.McpPrincipalLimits;
import dev.superstep.store.jdbc.PostgresCheckpointer;
import dev.superstep.store.jdbc.PostgresServiceStore;
import dev.superstep.test.postgres.PostgresServer;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Served calls whose stores are in PostgreSQL.
@Timeout(180)
final class PostgresServingTest {
  @TempDir Path folder;

  @Test
  void a_task_goes_on_in_another_process_and_does_nothing_twice() throws Exception {
    var database = PostgresServer.shared().freshDatabase();
    String task;
    try (var first = ServerProcess.http(folder, database);
        var client = ModernClientOfTest.of(first)) {
      task = client.begin("count", "{}");
      while (!Files.exists(folder.resolve("waiting"))) Thread.sleep(20);
      first.kill();
    }
    try (var second = ServerProcess.http(folder, database);
        var client = ModernClientOfTest.of(second)) {
      Files.writeString(folder.resolve("go"), "");
      var end = client.await(task, "completed");
      assertThat(end.path("result").path("structuredContent").path("count").asInt()).isEqualTo(2);
    }
    assertThat(DeskProgram.effects(folder)).isEqualTo("first\nsecond\n");
  }

  @Test
  void questions_are_answered_and_tasks_cancelled_by_way_of_another_process() throws Exception {
    var database = PostgresServer.shared().freshDatabase();
    try (var first = ServerProcess.http(folder, database);
        var second = ServerProcess.http(folder, database);
        var one = ModernClientOfTest.of(first);
        var other = ModernClientOfTest.of(second)) {
      var asking = one.begin("names", "{}");
      other.await(asking, "input_required");
      var answer =
          ",\"inputResponses\":{\"%s\":{\"action\":\"accept\",\"content\":{\"name\":\"%s\"}}}";
      other.update(asking, answer.formatted("left_name", "Ann"));
      first.kill();
      other.update(asking, answer.formatted("right_name", "Bob"));
      assertThat(other.await(asking, "completed").toString()).contains("Ann", "Bob");
      var task = other.begin("count", "{}");
      try (var third = ServerProcess.http(folder, database);
          var last = ModernClientOfTest.of(third)) {
        last.task("cancel", task, "");
        assertThat(other.await(task, "cancelled").has("result")).isFalse();
        assertThat(last.task("get", asking, "").toString()).contains("Ann");
      }
    }
  }

  @Test
  void servers_on_calldatabase_do_not_pass_the_limit_of_a_principal_together() throws Exception {
    var source = PostgresServer.shared().freshDatabase().dataSource();
    var each = new McpPrincipalLimits(5, 9, 9, Duration.ofHours(1));
    var limits = McpHostLimits.standard().withPrincipal(each);
    try (var states = PostgresCheckpointer.on(source);
        var records = PostgresServiceStore.on(source);
        var otherRecords = PostgresServiceStore.on(source);
        var one = DeskProgram.host(folder, states, records).limits(limits).build();
        var two = DeskProgram.host(folder, states, otherRecords).limits(limits).build();
        var first = one.start(0);
        var second = two.start(0);
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var all = new ArrayList<Future<Boolean>>();
      for (int i = 0; i < 8; i++) {
        var address = (i % 2 == 0 ? first : second).address();
        all.add(threads.submit(() -> isRefused(address)));
      }
      int refused = 0;
      for (var call : all) if (call.get()) refused++;
      assertThat(refused).isEqualTo(3);
      assertThat(two.openCalls()).hasSize(5);
    }
  }

  private static boolean isRefused(URI address) throws Exception {
    try (var client = new HttpClientOfTest(address).greet("{}")) {
      return client.call("refund", "{\"order\":\"1\",\"cents\":5}").has("error");
    }
  }
}
