package dev.superstep.mcp.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.mcp.server.internal.protocol.Rpc;
import dev.superstep.mcp.server.options.McpHostLimits;
import dev.superstep.mcp.server.options.McpPrincipalLimits;
import dev.superstep.server.AgentServer;
import dev.superstep.server.security.ApiKeys;
import dev.superstep.service.InMemoryServiceStore;
import dev.superstep.service.ServiceStore;
import dev.superstep.store.jdbc.SqliteCheckpointer;
import dev.superstep.store.jdbc.SqliteServiceStore;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// What a server stores for one principal is bounded.
@Timeout(90)
final class PrincipalLimitsTest {
  private static final String REFUND = "{\"order\":\"1\",\"cents\":5}";
  private static final String ANSWER =
      "{\"call\":\"%s\",\"answers\":{\"agreed\":true,\"reason\":\"broken\"}}";
  private static final Duration HOUR = Duration.ofHours(1);

  @TempDir Path folder;

  private static McpHostLimits limits(int open, int finished, int tasks, Duration keep) {
    return McpHostLimits.standard()
        .withPrincipal(new McpPrincipalLimits(open, finished, tasks, keep));
  }

  private static String call(JsonNode waiting) {
    return waiting.path("result").path("structuredContent").path("call").asString("");
  }

  private static String text(JsonNode reply) {
    return reply.path("result").path("content").path(0).path("text").asString("");
  }

  @Test
  void a_principal_has_so_many_open_calls_and_another_one_its_own() throws Exception {
    var states = new InMemoryCheckpointer();
    var records = InMemoryServiceStore.open();
    var keys = ApiKeys.parse("ann ann-0123456789abcdef;bob bob-0123456789abcdef");
    try (var host =
            DeskProgram.host(folder, states, records).limits(limits(2, 9, 9, HOUR)).build();
        var server =
            AgentServer.on(states, records)
                .authenticator(keys)
                .extension(host.extension())
                .start(0);
        var ann =
            new HttpClientOfTest(
                    server.address().resolve("/mcp"), "X-Api-Key", "ann-0123456789abcdef")
                .greet("{}");
        var bob =
            new HttpClientOfTest(
                    server.address().resolve("/mcp"), "X-Api-Key", "bob-0123456789abcdef")
                .greet("{}")) {
      var first = call(ann.call("refund", REFUND));
      ann.call("refund", REFUND);
      var refused = ann.call("refund", REFUND).path("error");
      assertThat(refused.path("code").asInt()).isEqualTo(Rpc.BUSY);
      assertThat(refused.path("message").asString()).contains("2 open calls");
      assertThat(call(bob.call("refund", REFUND))).isNotEmpty();
      assertThat(ann.call("echo", "{\"text\":\"a\"}").toString()).contains("\"a\"");
      ann.call("answer_call", ANSWER.formatted(first));
      assertThat(call(ann.call("refund", REFUND))).isNotEmpty();
    }
  }

  @Test
  void results_of_calls_that_waited_are_kept_up_to_a_number_and_a_time() throws Exception {
    var states = new InMemoryCheckpointer();
    var records = InMemoryServiceStore.open();
    var brief = Duration.ofMillis(1);
    String old;
    String late;
    try (var host =
            DeskProgram.host(folder, states, records).limits(limits(9, 1, 9, HOUR)).build();
        var server = host.start(0);
        var client = new HttpClientOfTest(server.address()).greet("{}")) {
      old = call(client.call("refund", REFUND));
      client.call("answer_call", ANSWER.formatted(old));
      assertThat(client.call("answer_call", ANSWER.formatted(old)).toString())
          .contains("\"cents\":5");
      late = call(client.call("refund", REFUND));
      client.call("answer_call", ANSWER.formatted(late));
      assertThat(text(client.call("answer_call", ANSWER.formatted(old)))).contains("no call");
    }
    try (var host =
            DeskProgram.host(folder, states, records).limits(limits(9, 1, 9, brief)).build();
        var server = host.start(0);
        var client = new HttpClientOfTest(server.address()).greet("{}")) {
      assertThat(client.call("answer_call", ANSWER.formatted(late)).toString())
          .contains("\"cents\":5");
      var last = call(client.call("refund", REFUND));
      client.call("answer_call", ANSWER.formatted(last));
      late = last;
    }
    try (var host = DeskProgram.host(folder, states, records).build();
        var server = host.start(0);
        var client = new HttpClientOfTest(server.address()).greet("{}")) {
      assertThat(text(client.call("answer_call", ANSWER.formatted(late)))).contains("no call");
    }
  }

  @Test
  void tasks_that_have_ended_count_until_their_time_is_over() throws Exception {
    try (var host =
            DeskProgram.host(folder, new InMemoryCheckpointer(), InMemoryServiceStore.open())
                .limits(limits(9, 9, 2, HOUR))
                .build();
        var server = host.start(0);
        var client = new HttpClientOfTest(server.address()).greet("{}")) {
      Files.writeString(folder.resolve("go"), "");
      var begun = client.ask("tools/call", TasksTest.COUNT).path("result").path("task");
      client.ask("tasks/result", "{\"taskId\":\"%s\"}".formatted(begun.path("taskId").asString()));
      client.ask("tools/call", TasksTest.COUNT.replace("600000", "1"));
      var refused = client.ask("tools/call", TasksTest.COUNT);
      // The second one may have expired already, and leave room for one.
      if (!refused.has("error")) refused = client.ask("tools/call", TasksTest.COUNT);
      assertThat(refused.path("error").path("code").asInt()).isEqualTo(Rpc.BUSY);
      assertThat(refused.path("error").path("message").asString()).contains("2 stored tasks");
    }
  }

  @Test
  void two_servers_on_one_store_do_not_pass_the_limit_together() throws Exception {
    var file = folder.resolve("desk.db");
    try (var states = SqliteCheckpointer.open(file);
        var records = SqliteServiceStore.open(file);
        var otherStates = SqliteCheckpointer.open(file);
        var otherRecords = SqliteServiceStore.open(file);
        var one = DeskProgram.host(folder, states, records).limits(limits(5, 9, 9, HOUR)).build();
        var two =
            DeskProgram.host(folder, otherStates, otherRecords)
                .limits(limits(5, 9, 9, HOUR))
                .build();
        var first = one.start(0);
        var second = two.start(0);
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var all = new ArrayList<Future<JsonNode>>();
      for (int i = 0; i < 8; i++) {
        var address = (i % 2 == 0 ? first : second).address();
        all.add(threads.submit(() -> refund(address)));
      }
      int open = 0;
      for (var each : all) if (!call(each.get()).isEmpty()) open++;
      assertThat(open).isEqualTo(5);
      assertThat(two.openCalls()).hasSize(5);
    }
  }

  private static JsonNode refund(URI address) throws Exception {
    try (var client = new HttpClientOfTest(address).greet("{}")) {
      return client.call("refund", REFUND);
    }
  }

  /// Counts the transactions that write.
  private record CountingStore(ServiceStore inner, AtomicInteger writes) implements ServiceStore {
    @Override
    public <R> R write(Work<R> work) {
      writes.incrementAndGet();
      return inner.write(work);
    }

    @Override
    public <R> R read(Work<R> work) {
      return inner.read(work);
    }

    @Override
    public Watch watch(String topic) {
      return inner.watch(topic);
    }

    @Override
    public void close() {
      inner.close();
    }
  }

  @Test
  void checks_of_request_states_write_nothing() throws Exception {
    var writes = new AtomicInteger();
    var records = new CountingStore(InMemoryServiceStore.open(), writes);
    try (var host = DeskProgram.host(folder, new InMemoryCheckpointer(), records).build();
        var server = host.start(0);
        var client = new ModernClientOfTest(server.address(), "{\"elicitation\":{}}", "")) {
      client.call("refund", REFUND, "");
      int before = writes.get();
      for (int i = 0; i < 5; i++) {
        var forged = client.call("refund", REFUND, ",\"requestState\":\"a.b\"");
        assertThat(forged.path("code").asInt()).isEqualTo(Rpc.INVALID_PARAMS);
      }
      assertThat(writes.get()).isEqualTo(before);
    }
  }

  @Test
  void limits_say_what_they_are_and_what_is_wrong_with_them() {
    assertThat(McpPrincipalLimits.standard().toString()).contains("openCalls=100");
    assertThatThrownBy(() -> new McpPrincipalLimits(0, 1, 1, HOUR))
        .hasMessageContaining("openCalls");
    assertThatThrownBy(() -> new McpPrincipalLimits(1, 1, 1, Duration.ZERO))
        .hasMessageContaining("keep");
  }
}
