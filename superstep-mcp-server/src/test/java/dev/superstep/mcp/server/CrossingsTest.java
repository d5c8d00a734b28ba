package dev.superstep.mcp.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.checkpoint.EncryptedCheckpointer;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.checkpoint.KeyRing;
import dev.superstep.graph.Graph;
import dev.superstep.graph.Subgraph;
import dev.superstep.graph.Threads;
import dev.superstep.node.Update;
import dev.superstep.run.Durability;
import dev.superstep.run.Input;
import dev.superstep.service.EncryptedServiceStore;
import dev.superstep.service.InMemoryServiceStore;
import dev.superstep.service.ServiceStore;
import dev.superstep.state.State;
import dev.superstep.store.jdbc.SqliteCheckpointer;
import dev.superstep.store.jdbc.SqliteServiceStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// Served calls together with what else the engine does.
@Timeout(60)
final class CrossingsTest {
  private static final String REFUND = "{\"order\":\"4711\",\"cents\":5}";

  @TempDir Path folder;

  private static String answer(JsonNode waiting) {
    return "{\"call\":\"%s\",\"answers\":{\"agreed\":true,\"reason\":\"broken\"}}"
        .formatted(call(waiting));
  }

  private static String call(JsonNode waiting) {
    return waiting.path("result").path("structuredContent").path("call").asString();
  }

  private static JsonNode asked(McpHost host) throws Exception {
    try (var server = host.start(0);
        var client = new HttpClientOfTest(server.address()).greet("{}")) {
      return client.call("refund", REFUND);
    }
  }

  private static String answered(McpHost host, JsonNode waiting) throws Exception {
    try (var server = host.start(0);
        var client = new HttpClientOfTest(server.address()).greet("{}")) {
      return client.call("answer_call", answer(waiting)).toString();
    }
  }

  private static McpHost nested(Checkpointer states, ServiceStore records) {
    var inside =
        Subgraph.<State>of(
            OrderDesk.refunds(),
            state -> Input.of(OrderDesk.ASKED, state.get(OrderDesk.ASKED)),
            end -> Update.of(OrderDesk.DONE, end.get(OrderDesk.DONE)));
    var outer =
        Graph.named("outer")
            .channels(OrderDesk.ASKED, OrderDesk.DONE)
            .node("inside", inside)
            .edge(Graph.START, "inside")
            .edge("inside", Graph.END)
            .compile();
    var form =
        GraphForm.of(
            OrderDesk.Refund.class,
            given -> Input.of(OrderDesk.ASKED, given),
            OrderDesk.Refunded.class,
            end -> end.get(OrderDesk.DONE));
    return McpHost.named("nested")
        .graph("refund", "Refunds.", outer, form.with(base -> base.durability(Durability.ASYNC)))
        .storedIn(states, records)
        .build();
  }

  @Test
  void a_question_of_a_graph_inside_a_graph_is_answered_by_another_host_on_the_same_stores()
      throws Exception {
    var states = new InMemoryCheckpointer();
    var records = InMemoryServiceStore.open();
    var waiting = asked(nested(states, records));
    assertThat(waiting.toString()).contains("agree to refund");
    assertThat(answered(nested(states, records), waiting)).contains("\"cents\":5");
  }

  @Test
  void a_waiting_call_whose_thread_was_rewound_asks_again() throws Exception {
    var states = new InMemoryCheckpointer();
    var records = InMemoryServiceStore.open();
    var waiting = asked(OrderDesk.host(states, records).build());
    var thread = "mcp-" + call(waiting);
    var threads = Threads.in(states);
    var first = threads.history(thread, Optional.empty(), 100).getLast();
    threads.rewind(thread, first.id());
    var host = OrderDesk.host(states, records).build();
    var again = answered(host, waiting);
    assertThat(again).contains("waits for answers").contains(call(waiting));
    assertThat(answered(host, HttpClientOfTest.JSON.readTree(again))).contains("\"cents\":5");
  }

  @Test
  void nothing_of_a_task_and_its_first_answer_is_readable_in_encrypted_stores() throws Exception {
    var file = folder.resolve("desk.db");
    var ring = KeyRing.of("a", new byte[32]);
    try (var states = SqliteCheckpointer.open(file);
        var records = SqliteServiceStore.open(file);
        var host =
            DeskProgram.host(
                    folder,
                    EncryptedCheckpointer.over(states, ring),
                    EncryptedServiceStore.over(records, ring))
                .build();
        var server = host.start(0);
        var client = new ModernClientOfTest(server.address(), ModernClientOfTest.TASKS, "")) {
      var task = client.begin("names", "{}");
      client.await(task, "input_required");
      var answer =
          ",\"inputResponses\":{\"%s\":{\"action\":\"accept\",\"content\":{\"name\":\"%s\"}}}";
      client.update(task, answer.formatted("left_name", "Rumpel"));
      isNotReadable("Rumpel");
      client.update(task, answer.formatted("right_name", "Stilz"));
      assertThat(client.await(task, "completed").toString()).contains("Rumpel", "Stilz");
      isNotReadable("Stilz");
    }
  }

  private void isNotReadable(String text) throws Exception {
    try (var files = Files.list(folder)) {
      for (var each : files.toList()) {
        var bytes =
            new String(Files.readAllBytes(each), java.nio.charset.StandardCharsets.ISO_8859_1);
        assertThat(bytes).doesNotContain(text);
      }
    }
  }

  @Test
  void nothing_of_a_call_is_readable_in_encrypted_stores() throws Exception {
    var file = folder.resolve("desk.db");
    var ring = KeyRing.of("a", new byte[32]);
    try (var states = SqliteCheckpointer.open(file);
        var records = SqliteServiceStore.open(file)) {
      var sealed = EncryptedCheckpointer.over(states, ring);
      var documents = EncryptedServiceStore.over(records, ring);
      var waiting = asked(OrderDesk.host(sealed, documents).build());
      assertThat(waiting.toString()).contains("4711");
      isNotReadable("4711");
      assertThat(answered(OrderDesk.host(sealed, documents).build(), waiting))
          .contains("\"cents\":5");
    }
  }
}
