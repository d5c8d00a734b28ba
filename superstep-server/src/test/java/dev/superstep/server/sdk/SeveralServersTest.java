package dev.superstep.server.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.test.postgres.PostgresServer;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/// Several server processes on one database, some of which are killed.
@Timeout(900)
@Tag("SV1")
@Tag("SV15")
class SeveralServersTest {
  private static final int KILLS = Integer.getInteger("superstep.serverKills", 2);
  private static final int RUNS = Integer.getInteger("superstep.serverRuns", 10);

  @Test
  void runs_survive_the_death_of_their_server_and_end_once() throws Exception {
    var random = new Random(42);
    var database = PostgresServer.shared().freshDatabase();
    var first = FixtureServer.start(database);
    var second = FixtureServer.start(database);
    try {
      for (int kill = 0; kill < KILLS; kill++) {
        killed(first, second, random);
        first = second;
        second = FixtureServer.start(database);
      }
    } finally {
      first.close();
      second.close();
    }
  }

  /// Runs that begin at one server, which is killed in the middle of them.
  private static void killed(
      FixtureServer.Running victim, FixtureServer.Running other, Random random) throws Exception {
    var alive = new AtomicReference<URI>(victim.address());
    var clients = IntStream.range(0, RUNS).mapToObj(_ -> new StreamClient(alive::get)).toList();
    var runs = new ArrayList<JsonNode>();
    for (var client : clients) runs.add(client.begin("counting"));
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var following = new ArrayList<Future<List<StreamClient.Received>>>();
      for (int i = 0; i < RUNS; i++) {
        var client = clients.get(i);
        var run = runs.get(i);
        following.add(
            threads.submit((Callable<List<StreamClient.Received>>) () -> client.follow(run)));
      }
      int events = random.nextInt(FixtureGraphs.STEPS);
      while (clients.getFirst().count() < events) Thread.onSpinWait();
      victim.kill();
      alive.set(other.address());
      for (var stream : following) checkWhole(stream.get());
    }
    var reader = new StreamClient(other::address);
    for (var run : runs) checkOnce(reader, run);
  }

  private static void checkWhole(List<StreamClient.Received> stream) {
    var ids = stream.stream().map(event -> Integer.parseInt(event.id())).toList();
    assertThat(ids).isEqualTo(IntStream.range(0, ids.size()).boxed().toList());
    assertThat(stream.getLast().event()).isEqualTo("values");
    assertThat(stream.getLast().data().path("seen")).hasSize(FixtureGraphs.STEPS);
    int seen = 0;
    for (var event : stream) {
      if (!event.event().equals("values")) continue;
      int now = event.data().path("seen").size();
      assertThat(now).as("values never go back").isGreaterThanOrEqualTo(seen);
      seen = now;
    }
  }

  private static void checkOnce(StreamClient reader, JsonNode run) throws Exception {
    var thread = "/threads/" + run.path("thread_id").asString();
    var runs = reader.get(thread + "/runs");
    assertThat(runs).hasSize(1);
    assertThat(runs.get(0).path("status").asString()).isEqualTo("success");
    var seen = new ArrayList<String>();
    for (var each : reader.get(thread + "/state").path("values").path("seen")) {
      seen.add(each.asString());
    }
    assertThat(seen)
        .isEqualTo(IntStream.range(0, FixtureGraphs.STEPS).mapToObj(String::valueOf).toList());
    assertThat(reader.get(thread).path("status").asString()).isEqualTo("idle");
  }
}
