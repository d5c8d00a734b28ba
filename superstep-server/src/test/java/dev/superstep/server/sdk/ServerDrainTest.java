package dev.superstep.server.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.test.postgres.PostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// A server that is told to end while a superstep runs.
@Timeout(300)
@Tag("SV11")
class ServerDrainTest {
  // Of a JVM that was ended by SIGTERM, after its hooks.
  private static final int TERMINATED = 143;

  @TempDir Path folder;

  @Test
  void the_superstep_ends_and_is_saved_and_another_server_goes_on() throws Exception {
    var notes = folder.resolve("notes");
    var database = PostgresServer.shared().freshDatabase();
    var process = FixtureProcess.plain().noting(notes);
    try (var first = FixtureServer.start(database, process)) {
      var run = begun(first, notes);
      ended(first, run);
      assertThat(Files.readString(notes)).isEqualTo(run.path("run_id").asString() + " 0\n");
      try (var second = FixtureServer.start(database, process)) {
        goesOn(second, run, notes);
      }
    }
  }

  @Test
  void the_same_file_goes_on_after_the_next_start() throws Exception {
    var notes = folder.resolve("notes");
    var file = folder.resolve("service.db");
    var process = FixtureProcess.plain().noting(notes);
    try (var first = FixtureServer.start(file, process)) {
      var run = begun(first, notes);
      ended(first, run);
      try (var second = FixtureServer.start(file, process)) {
        goesOn(second, run, notes);
      }
    }
  }

  /// A run whose first node is at work.
  private static JsonNode begun(FixtureServer.Running server, Path notes) throws Exception {
    var client = new StreamClient(server::address);
    var thread = client.post("/threads", Map.of()).path("thread_id").asString();
    var body = Map.of("assistant_id", "staged", "input", Map.of("gate", "later"));
    var run = client.post("/threads/" + thread + "/runs", body);
    while (!Files.exists(notes) || Files.size(notes) == 0) Thread.sleep(5);
    return run;
  }

  /// Tells the server to end, and opens the gate once it refuses what is new.
  private static void ended(FixtureServer.Running server, JsonNode run) throws Exception {
    var client = new StreamClient(server::address);
    server.process().destroy();
    while (isReady(client)) Thread.sleep(5);
    var thread = "/threads/" + run.path("thread_id").asString();
    assertThat(client.get(thread).path("status").asString()).isEqualTo("busy");
    assertThat(client.put("/store/items", open("later"))).isEqualTo(204);
    assertThat(server.process().waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(server.process().exitValue()).isEqualTo(TERMINATED);
  }

  private static boolean isReady(StreamClient client) throws InterruptedException {
    try {
      client.get("/health/ready");
      return true;
    } catch (IOException e) {
      assertThat(e.getMessage()).startsWith("503");
      return false;
    }
  }

  private static Map<String, Object> open(String gate) {
    return Map.of("namespace", List.of("gates"), "key", gate, "value", Map.of("open", true));
  }

  private static void goesOn(FixtureServer.Running server, JsonNode run, Path notes)
      throws Exception {
    var client = new StreamClient(server::address);
    var stream = client.follow(run);
    assertThat(stream.getLast().data().path("seen")).hasSize(2);
    var id = run.path("run_id").asString();
    // What had ended is not done again.
    assertThat(Files.readAllLines(notes)).containsExactly(id + " 0", id + " 1");
    var ids = stream.stream().map(event -> Integer.parseInt(event.id())).toList();
    assertThat(ids.getLast()).isEqualTo(ids.size() - 1);
  }
}
