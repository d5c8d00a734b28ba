package dev.superstep.server.sdk;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.graph.Graph;
import dev.superstep.node.Question;
import dev.superstep.node.Update;
import dev.superstep.run.Migration;
import dev.superstep.server.AgentServer;
import dev.superstep.server.graph.ServedGraph;
import dev.superstep.server.options.RunLimits;
import dev.superstep.server.options.ServerOptions;
import dev.superstep.service.ServiceStore;
import dev.superstep.state.Channel;
import dev.superstep.store.jdbc.SqliteCheckpointer;
import dev.superstep.store.jdbc.SqliteServiceStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A server that is replaced by one with the next version of its graphs.
@Timeout(120)
@Tag("SV1")
class ReplacedServerTest {
  private static final Channel<List<String>, String> MAILS = Channel.append("mails", String.class);
  private static final Channel<List<String>, String> LETTERS =
      Channel.append("letters", String.class);
  private static final Question<String, String> SEND =
      Question.of("send", String.class, String.class);

  private Checkpointer checkpoints;
  private ServiceStore documents;

  @BeforeEach
  void open(@TempDir Path folder) {
    checkpoints = SqliteCheckpointer.open(folder.resolve("service.db"));
    documents = SqliteServiceStore.open(folder.resolve("service.db"));
  }

  @AfterEach
  void close() {
    documents.close();
    checkpoints.close();
  }

  private AgentServer serving(ServedGraph... graphs) throws IOException {
    return AgentServer.on(checkpoints, documents).serving(List.of(graphs)).start(0);
  }

  private static Graph first() {
    return Graph.named("desk")
        .channels(MAILS)
        .questions(SEND)
        .node("read", (_, _) -> Update.of(MAILS, "read"))
        .node("ask", (_, node) -> Update.of(MAILS, node.interrupt(SEND, "send it?")))
        .sequence(START, "read", "ask", END)
        .compile();
  }

  /// Other names of a node and a channel, and one node more.
  private static Graph second() {
    return Graph.named("desk")
        .channels(LETTERS)
        .questions(SEND)
        .node("read", (_, _) -> Update.of(LETTERS, "read"))
        .node("confirm", (_, node) -> Update.of(LETTERS, node.interrupt(SEND, "send it?")))
        .node("file", (_, _) -> Update.of(LETTERS, "filed"))
        .sequence(START, "read", "confirm", "file", END)
        .compile();
  }

  private static ServedGraph migrated() {
    var before = first().topology().hash();
    var migration =
        Migration.between(before, second().topology().hash())
            .renameNode("ask", "confirm")
            .renameChannel("mails", "letters");
    return ServedGraph.of(second()).with(options -> options.migrations(migration));
  }

  @Test
  void a_thread_that_waits_under_the_old_version_goes_on_under_the_new_one() throws Exception {
    String thread;
    try (var old = serving(ServedGraph.of(first()))) {
      var client = new StreamClient(old::address);
      thread = "/threads/" + client.post("/threads", Map.of()).path("thread_id").asString();
      client.follow(
          client.post(thread + "/runs", Map.of("assistant_id", "desk", "input", Map.of())));
      assertThat(client.get(thread).path("status").asString()).isEqualTo("interrupted");
    }
    try (var now = serving(migrated())) {
      var client = new StreamClient(now::address);
      var values = client.get(thread).path("values");
      assertThat(values.path("letters").get(0).asString()).isEqualTo("read");

      var resumed = Map.of("assistant_id", "desk", "command", Map.of("resume", "yes"));
      var end = client.post(thread + "/runs/wait", resumed);

      assertThat(end.path("letters").toString()).isEqualTo("[\"read\",\"yes\",\"filed\"]");
      assertThat(client.get(thread).path("status").asString()).isEqualTo("idle");
      assertThat(client.get(thread + "/state").path("next")).isEmpty();
      assertThat(client.post(thread + "/history", Map.of("limit", 20))).hasSizeGreaterThan(4);
    }
  }

  @Test
  void a_state_of_the_old_version_is_edited_under_the_new_one() throws Exception {
    String thread;
    try (var old = serving(ServedGraph.of(first()))) {
      var client = new StreamClient(old::address);
      thread = "/threads/" + client.post("/threads", Map.of()).path("thread_id").asString();
      client.follow(
          client.post(thread + "/runs", Map.of("assistant_id", "desk", "input", Map.of())));
    }
    try (var now = serving(migrated())) {
      var client = new StreamClient(now::address);
      var edit = Map.of("values", Map.of("letters", List.of("by hand")));
      client.post(thread + "/state", edit);

      var resumed = Map.of("assistant_id", "desk", "command", Map.of("resume", "yes"));
      var end = client.post(thread + "/runs/wait", resumed);

      assertThat(end.path("letters").toString())
          .isEqualTo("[\"read\",\"by hand\",\"yes\",\"filed\"]");
    }
  }

  @Test
  void runs_wait_for_a_server_that_has_their_graph_and_hold_up_no_others() throws Exception {
    String waiting;
    var limits = ServerOptions.defaults().withRuns(RunLimits.defaults().withConcurrent(1));
    try (var old =
        AgentServer.on(checkpoints, documents)
            .options(limits)
            .serving(List.of(ServedGraph.of(first()), ServedGraph.of(FixtureGraphs.configured())))
            .start(0)) {
      var client = new StreamClient(old::address);
      waiting = "/threads/" + client.post("/threads", Map.of()).path("thread_id").asString();
      var later = Map.of("assistant_id", "desk", "input", Map.of(), "after_seconds", 1);
      client.post(waiting + "/runs", later);
    }
    try (var other = serving(ServedGraph.of(FixtureGraphs.configured()))) {
      var client = new StreamClient(other::address);
      var after = client.post("/threads", Map.of()).path("thread_id").asString();
      var body = Map.of("assistant_id", "configured", "input", Map.of(), "after_seconds", 2);
      client.follow(client.post("/threads/" + after + "/runs", body));

      var run = client.get(waiting + "/runs").get(0);
      assertThat(run.path("status").asString()).isEqualTo("pending");
      try (var now = serving(migrated())) {
        new StreamClient(now::address).follow(run);
        assertThat(client.get(waiting).path("status").asString()).isEqualTo("interrupted");
      }
    }
  }
}
