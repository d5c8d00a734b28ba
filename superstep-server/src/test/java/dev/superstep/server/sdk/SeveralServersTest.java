package dev.superstep.server.sdk;

import dev.superstep.test.postgres.PostgresServer;
import java.net.URI;
import java.nio.file.Path;
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
