package dev.superstep.server.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.test.postgres.PostgresServer;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Servers that are killed at random times while their runs stream.
@Timeout(3_600)
@Tag("SV1")
@Tag("SV15")
class SeveralServersTest {
  private static final int KILLS = Integer.getInteger("superstep.serverKills", 2);
  private static final int RUNS = Integer.getInteger("superstep.serverRuns", 10);
  private static final int SEED = Integer.getInteger("superstep.serverSeed", 42);

  @TempDir Path folder;

  @Test
  void runs_survive_the_death_of_their_server_and_end_once() throws Exception {
    var random = new Random(SEED);
    var database = PostgresServer.shared().freshDatabase();
    var notes = folder.resolve("notes");
    var process = FixtureProcess.plain().noting(notes);
    var first = FixtureServer.start(database, process);
    var second = FixtureServer.start(database, process);
    try {
      for (int kill = 0; kill < KILLS; kill++) {
        var alive = new AtomicReference<URI>(first.address());
        try (var runs = CountingRuns.begun(RUNS, alive::get)) {
          runs.awaitEvents(random.nextInt(FixtureGraphs.STEPS));
          first.kill();
          alive.set(second.address());
          runs.checkStreams();
          runs.checkEnds(second.address());
          runs.checkTasks(notes);
        }
        first = second;
        second = FixtureServer.start(database, process);
      }
    } finally {
      first.close();
      second.close();
    }
  }

  @Test
  void a_server_that_sleeps_longer_than_its_lease_writes_nothing_when_it_wakes() throws Exception {
    var database = PostgresServer.shared().freshDatabase();
    var notes = folder.resolve("notes");
    var process = FixtureProcess.plain().noting(notes);
    try (var sleeper = FixtureServer.start(database, process);
        var other = FixtureServer.start(database, process)) {
      var begun = new StreamClient(sleeper::address).begin("staged", Map.of("gate", "later"));
      awaitNotes(notes, 1);
      signal(sleeper, "STOP");
      // The other one takes the run over.
      awaitNotes(notes, 2);
      var client = new StreamClient(other::address);
      var open = Map.of("namespace", List.of("gates"), "key", "later", "value", Map.of());
      assertThat(client.put("/store/items", open)).isEqualTo(204);
      var stream = client.follow(begun);
      signal(sleeper, "CONT");
      // By the end of this run it has seen the gate, and that it has lost the other run.
      var awake = new StreamClient(sleeper::address);
      awake.follow(awake.begin("counting"));

      assertThat(awake.fresh().follow(begun)).isEqualTo(stream);
      assertThat(stream.getLast().data().path("seen")).hasSize(2);
      assertThat(stream.stream().filter(event -> event.event().equals("metadata"))).hasSize(2);
      var state = awake.get("/threads/" + begun.path("thread_id").asString() + "/state");
      assertThat(state.path("values")).isEqualTo(stream.getLast().data());
    }
  }

  private static void awaitNotes(Path notes, int beginnings) throws Exception {
    while (!Files.exists(notes) || beginnings(notes) < beginnings) Thread.sleep(5);
  }

  private static long beginnings(Path notes) throws Exception {
    return Files.readAllLines(notes).stream().filter(line -> line.endsWith(" 0")).count();
  }

  private static void signal(FixtureServer.Running server, String name) throws Exception {
    var pid = String.valueOf(server.process().pid());
    var kill = new ProcessBuilder("kill", "-" + name, pid).inheritIO().start();
    assertThat(kill.waitFor()).isZero();
  }

  @Test
  void a_server_that_starts_again_on_its_file_goes_on_with_its_runs() throws Exception {
    var random = new Random(SEED);
    var file = folder.resolve("service.db");
    var notes = folder.resolve("notes");
    var process = FixtureProcess.plain().noting(notes);
    var server = FixtureServer.start(file, process);
    try {
      for (int kill = 0; kill < KILLS; kill++) {
        var alive = new AtomicReference<URI>(server.address());
        try (var runs = CountingRuns.begun(RUNS, alive::get)) {
          runs.awaitEvents(random.nextInt(FixtureGraphs.STEPS));
          server.kill();
          server = FixtureServer.start(file, process);
          alive.set(server.address());
          runs.checkStreams();
          runs.checkEnds(server.address());
          runs.checkTasks(notes);
        }
      }
    } finally {
      server.close();
    }
  }
}
