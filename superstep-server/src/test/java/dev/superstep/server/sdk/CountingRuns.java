package dev.superstep.server.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;

/// Runs that count, and the clients that follow them over all that happens to their servers.
final class CountingRuns implements AutoCloseable {
  private final List<StreamClient> clients;
  private final List<JsonNode> runs = new ArrayList<>();
  private final List<Future<List<StreamClient.Received>>> streams = new ArrayList<>();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  private CountingRuns(int number, Supplier<URI> server) {
    this.clients = IntStream.range(0, number).mapToObj(_ -> new StreamClient(server)).toList();
  }

  /// Begins them all, and a client of each follows its stream.
  ///
  /// @param server one that is alive, as far as anybody knows
  static CountingRuns begun(int number, Supplier<URI> server) throws Exception {
    var all = new CountingRuns(number, server);
    for (var client : all.clients) all.runs.add(client.begin("counting"));
    for (int i = 0; i < number; i++) {
      var client = all.clients.get(i);
      var run = all.runs.get(i);
      var following = (Callable<List<StreamClient.Received>>) () -> client.follow(run);
      all.streams.add(all.threads.submit(following));
    }
    return all;
  }

  /// Waits until the first client has some events.
  void awaitEvents(int number) throws InterruptedException {
    while (clients.getFirst().count() < number) Thread.sleep(5);
  }

  /// Waits for the end of all streams, which have each event once and in order, and all results.
  void checkStreams() throws Exception {
    for (var stream : streams) checkStream(stream.get());
  }

  private static void checkStream(List<StreamClient.Received> stream) {
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

  /// What another server says of them: each has ended once and is all that its thread has run.
  void checkEnds(URI server) throws Exception {
    var reader = new StreamClient(() -> server);
    for (var run : runs) {
      var thread = "/threads/" + run.path("thread_id").asString();
      var known = reader.get(thread + "/runs");
      assertThat(known).hasSize(1);
      assertThat(known.get(0).path("status").asString()).isEqualTo("success");
      var seen = new ArrayList<String>();
      for (var each : reader.get(thread + "/state").path("values").path("seen")) {
        seen.add(each.asString());
      }
      assertThat(seen)
          .isEqualTo(IntStream.range(0, FixtureGraphs.STEPS).mapToObj(String::valueOf).toList());
      assertThat(reader.get(thread).path("status").asString()).isEqualTo("idle");
    }
  }

  /// Compares what the nodes noted with the attempts at the runs: each may repeat the one task
  /// whose result was not saved, and nothing else.
  void checkTasks(Path notes) throws Exception {
    var begun = Files.readAllLines(notes);
    for (int i = 0; i < runs.size(); i++) {
      var run = runs.get(i).path("run_id").asString();
      long tasks = begun.stream().filter(line -> line.startsWith(run + " ")).count();
      int attempts =
          streams.get(i).get().stream()
              .filter(event -> event.event().equals("metadata"))
              .mapToInt(event -> event.data().path("attempt").asInt())
              .max()
              .orElseThrow();
      assertThat(tasks).isBetween((long) FixtureGraphs.STEPS, FixtureGraphs.STEPS + attempts - 1L);
    }
  }

  @Override
  public void close() throws IOException {
    threads.shutdownNow();
  }
}
