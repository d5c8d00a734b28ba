package dev.superstep.server.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Many streams of running runs at once at a server with little memory.
@Timeout(1_800)
@Tag("SV15")
class ManyStreamsTest {
  private static final JsonMapper JSON = new JsonMapper();
  private static final int STREAMS = Integer.getInteger("superstep.streams", 60);
  private static final int SLOW = STREAMS / 20;
  private static final int MEGABYTES = 256;

  @TempDir Path folder;

  private final HttpClient http = HttpClient.newHttpClient();

  @Test
  void every_event_arrives_and_readers_that_take_nothing_hold_up_nobody() throws Exception {
    var process = FixtureProcess.plain().withMemory(MEGABYTES);
    var slow = new ArrayList<Slow>();
    try (var server = FixtureServer.start(folder.resolve("service.db"), process);
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < SLOW; i++) slow.add(Slow.at(server.address()));
      var streams = new ArrayList<Future<List<String>>>();
      for (int i = SLOW; i < STREAMS; i++) {
        streams.add(threads.submit((Callable<List<String>>) () -> stream(server.address())));
      }
      var others = new StreamClient(server::address);
      for (var stream : streams) {
        assertThat(others.get("/info").path("version").isMissingNode()).isFalse();
        check(stream.get());
      }
      for (var one : slow) checkRun(others, one.thread());
      assertThat(server.process().isAlive()).isTrue();
    } finally {
      for (var one : slow) one.socket().close();
    }
  }

  private static Map<String, Object> body(String graph) {
    return Map.of(
        "assistant_id",
        graph,
        "input",
        Map.of(),
        "if_not_exists",
        "create",
        "stream_mode",
        List.of("values"));
  }

  private List<String> stream(URI server) throws IOException, InterruptedException {
    var path = "/threads/" + UUID.randomUUID() + "/runs/stream";
    var request =
        HttpRequest.newBuilder(server.resolve(path))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(body("counting"))))
            .build();
    var response = http.send(request, HttpResponse.BodyHandlers.ofLines());
    assertThat(response.statusCode()).isEqualTo(200);
    return response.body().toList();
  }

  private static void check(List<String> lines) {
    var ids = lines.stream().filter(line -> line.startsWith("id: ")).toList();
    assertThat(ids).isEqualTo(IntStream.range(0, ids.size()).mapToObj(id -> "id: " + id).toList());
    var data = lines.stream().filter(line -> line.startsWith("data: ")).toList();
    assertThat(values(data.getLast()).path("seen")).hasSize(FixtureGraphs.STEPS);
    // The state at the start, and one for each superstep, behind the metadata.
    assertThat(data).hasSize(FixtureGraphs.STEPS + 2);
  }

  private static JsonNode values(String line) {
    return JSON.readTree(line.substring("data: ".length()));
  }

  /// A client that begins a run with large events and never reads what it is sent.
  private record Slow(Socket socket, String thread) {
    static Slow at(URI server) throws IOException {
      var thread = UUID.randomUUID().toString();
      var socket = new Socket();
      socket.setReceiveBufferSize(4_096);
      socket.connect(new InetSocketAddress(server.getHost(), server.getPort()));
      var body = JSON.writeValueAsString(body("large"));
      var request =
          """
          POST /threads/%s/runs/stream HTTP/1.1\r
          Host: localhost\r
          Content-Type: application/json\r
          Content-Length: %d\r
          \r
          %s\
          """
              .formatted(thread, body.length(), body);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      return new Slow(socket, thread);
    }
  }

  /// The run has ended although nobody reads its stream, and all of that can still be read.
  private static void checkRun(StreamClient client, String thread) throws Exception {
    var runs = client.get("/threads/" + thread + "/runs");
    while (runs.isEmpty()) runs = client.get("/threads/" + thread + "/runs");
    var stream = client.fresh().follow(runs.get(0));
    assertThat(stream.getLast().data().path("seen")).hasSize(FixtureGraphs.STEPS);
    assertThat(stream).hasSize(FixtureGraphs.STEPS + 2);
  }
}
